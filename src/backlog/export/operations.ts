import { type Cell, ExportQuery, fileOf, MEDIA_TYPES } from '../../files/write'
import { ALL_RECORDS, walk } from '../../http/ceiling'
import { begun, download } from '../../http/download'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'

const HEADER = [
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

const COLUMNS = {
  header: HEADER,
  cells: (item: queries.ExportedItem): Cell[] =>
    HEADER.map((name) => {
      const value = item[name]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    }),
}

export const exportBacklog = operation({
  id: 'exportBacklog',
  ceiling: walk(160_000, ALL_RECORDS, 4_100_000),
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/export',
  summary: 'Export the backlog',
  description:
    'Epics, then features, then user stories, each in their order, with the keys of their parents, as a download that is made while it is read: one that ends early was interrupted. In CSV what is a list or an object is JSON, and what a spreadsheet would calculate has an apostrophe before it.',
  params: ProductParams,
  query: ExportQuery,
  streams: Object.values(MEDIA_TYPES),
  async handle({ query: { format }, db }) {
    const pages = await begun(queries.exportItems(db))
    return download({ type: MEDIA_TYPES[format], name: `backlog.${format}`, pieces: fileOf(format, pages, COLUMNS) })
  },
})
