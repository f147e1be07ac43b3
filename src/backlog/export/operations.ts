import { type CsvCell, EXPORT_MEDIA_TYPES, ExportQuery, streamExportFile } from '../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../http/ceiling'
import { awaitFirstItem, downloadResponse } from '../../http/download'
import { operation } from '../../http/operation'
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

const EXPORT_COLUMNS = {
  header: EXPORT_HEADER,
  cells: (item: queries.ExportedItem): CsvCell[] =>
    EXPORT_HEADER.map((name) => {
      const value = item[name]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    }),
}

export const exportBacklog = operation({
  id: 'exportBacklog',
  ceiling: declareCeiling(160_000, ALL_RECORDS_COST_REASON, 4_100_000),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/export',
  summary: 'Export the backlog',
  description:
    'Downloads epics, then features, then user stories, each type in its order, with the keys of the parents. The service writes the file while you read: a file that ends early was interrupted. CSV holds lists and objects as JSON, and puts an apostrophe before formulas.',
  params: ProductParams,
  query: ExportQuery,
  streamedTypes: Object.values(EXPORT_MEDIA_TYPES),
  async handle({ query: { format }, db }) {
    const pages = await awaitFirstItem(queries.exportItems(db))
    return downloadResponse({
      type: EXPORT_MEDIA_TYPES[format],
      name: `backlog.${format}`,
      pieces: streamExportFile(format, pages, EXPORT_COLUMNS),
    })
  },
})
