import { workItem } from './backlog/work-items/queries/any'
import { selectFilesJsonWith, selectFilesJsonWithout } from './backlog/work-items/queries/record'
import { createKpiRecordForIds } from './discovery/kpis/fields'

// Records that show a link of another area. This file stands above the areas because links lead both ways.

export const kpiOfWorkItem = { recordOf: createKpiRecordForIds, member: 'workItems' }
export const workItemOfKpi = { recordOf: () => workItem, member: 'kpis' }
export const workItemOfFile = {
  recordOf: () => workItem,
  member: 'files',
  filesWith: selectFilesJsonWith,
  filesWithout: selectFilesJsonWithout,
}
