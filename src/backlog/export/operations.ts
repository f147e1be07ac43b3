import { exportOperation } from '../../export-operation'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { ProductParams } from '../../http/schemas'
import { LINK_TYPES } from '../links/schema'
import * as queries from './queries'
import { ExportBacklog } from './schema'

const EXPORT_HEADER = [
  ...['externalKey', 'type', 'epicKey', 'featureKey', 'summary', 'description', 'progress', 'progressPercentage'],
  ...['businessGoal', 'color', 'backlog', 'persona', 'teamId', 'userId', 'startDate', 'endDate', 'tags', 'urls'],
  ...[
    'attributes',
    'jiraId',
    'jiraKey',
    'externalIds',
    'externalProgress',
    'estimate',
    'businessValue',
    'storyPoint',
    'remainingTime',
  ],
  ...[
    'score',
    'scoring',
    'id',
    'epicId',
    'featureId',
    'firstChild',
    'status',
    'initiativeId',
    'createdAt',
    'updatedAt',
    'team',
    'assignees',
    ...LINK_TYPES,
  ],
] as const satisfies readonly (keyof queries.ExportedItem)[]

export const exportBacklog = exportOperation({
  id: 'exportBacklog',
  ceiling: declareCeiling(260_000, ALL_RECORDS_COST_REASON, 4_100_000),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/export',
  summary: 'Export the backlog',
  description:
    'Downloads epics, then features, then user stories, each type in its order, with the keys of the parents and the ids in other systems. `team` has the name of the team and `assignees` the addresses of the assignees, for keys with the scope `products:read`. `blocks`, `relates` and `duplicates` have the keys of the items that the item links to. You can import the file into another product.',
  params: ProductParams,
  query: ExportBacklog,
  read: ({ query: { include }, db }) => ({
    name: 'backlog',
    columns: include ? [...EXPORT_HEADER, include] : EXPORT_HEADER,
    pages: queries.exportItems(db, include === 'comments'),
  }),
})
