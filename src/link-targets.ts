import { workItem } from './backlog/work-items/queries/any'
import { selectFilesJsonWith, selectFilesJsonWithout } from './backlog/work-items/queries/record'
import { experiment } from './discovery/experiments/fields'
import { declareKpiForIds } from './discovery/kpis/fields'
import { persona } from './discovery/personas/fields'
import { changelogEntry } from './feedback/changelog/fields'

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
export const kpiHolder = { recordOf: () => experiment, member: 'kpi' }
export const opportunityHolder = { recordOf: () => experiment, member: 'opportunity' }
export const boardSegmentHolder = { recordOf: () => persona, member: 'boardSegmentId' }
export const coverHolder = { recordOf: () => changelogEntry, member: 'cover' }
