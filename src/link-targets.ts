import { workItem } from './backlog/work-items/queries/any'
import { selectFilesJsonWith, selectFilesJsonWithout } from './backlog/work-items/queries/record'
import { declareKpiForIds } from './discovery/kpis/fields'

// Records that show a link of another area. This file stands above the areas because links lead both ways.

export const kpiTargetOfWorkItem = { recordOf: declareKpiForIds, member: 'workItems' }
export const workItemTargetOfKpi = { recordOf: () => workItem, member: 'kpis' }
export const workItemTargetOfIdea = { recordOf: () => workItem, member: 'ideas' }
export const workItemTargetOfFile = {
  recordOf: () => workItem,
  member: 'files',
  filesWith: selectFilesJsonWith,
  filesWithout: selectFilesJsonWithout,
}
