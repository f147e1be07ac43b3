import { exportOperation } from '../../export-operation'
import { ExportQuery } from '../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'

const EXPORT_HEADER = [
  ...['externalKey', 'type', 'epicKey', 'featureKey', 'summary', 'description', 'progress', 'progressPercentage'],
  ...['businessGoal', 'color', 'backlog', 'persona', 'teamId', 'userId', 'startDate', 'endDate', 'tags', 'urls'],
  ...[
    'attributes',
    'jiraId',
    'jiraKey',
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
  ],
] as const satisfies readonly (keyof queries.ExportedItem)[]

export const exportBacklog = exportOperation({
  id: 'exportBacklog',
  ceiling: declareCeiling(160_000, ALL_RECORDS_COST_REASON, 4_100_000),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/export',
  summary: 'Export the backlog',
  description:
    'Downloads epics, then features, then user stories, each type in its order, with the keys of the parents.',
  params: ProductParams,
  query: ExportQuery,
  read: ({ db }) => ({ name: 'backlog', columns: EXPORT_HEADER, pages: queries.exportItems(db) }),
})
