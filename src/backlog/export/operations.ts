import { type Cell, ExportQuery, fileOf, MEDIA_TYPES } from '../../files/write'
import { begun, download } from '../../http/download'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'

export const exportBacklog = operation({
  id: 'exportBacklog',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/backlog/export',
  tag: 'Backlog',
  summary: 'Export the backlog',
  description:
    'Epics, then features, then user stories, each in their order, as a download that is made while it is read: one that ends early was interrupted. `epic` and `feature` are the keys of those that an item hangs on. In CSV, lists and `attributes` are JSON, and what a spreadsheet would calculate has an apostrophe before it. It can be imported elsewhere.',
  scope: 'backlog:read',
  params: ProductParams,
  query: ExportQuery,
  streams: Object.values(MEDIA_TYPES),
  async handle({ query: { format }, db }) {
    const pages = await begun(queries.exportBacklog(db))
    return download({ type: MEDIA_TYPES[format], name: `backlog.${format}`, pieces: fileOf(format, pages, COLUMNS) })
  },
})

const LISTS = ['persona', 'userId', 'urls', 'attributes'] as const

const HEADER = [
  'type',
  'externalKey',
  'epic',
  'feature',
  'summary',
  'description',
  'progress',
  'progressPercentage',
  'startDate',
  'endDate',
  'tags',
  'storyPoint',
  'estimate',
  'businessValue',
  'remainingTime',
  'score',
  'backlog',
  'businessGoal',
  'color',
  'firstChild',
  'urls',
  'attributes',
  'jiraId',
  'jiraKey',
  'externalProgress',
  'persona',
  'teamId',
  'userId',
  'id',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof queries.Exported)[]

const COLUMNS = {
  header: HEADER,
  cells: (item: queries.Exported): Cell[] =>
    HEADER.map((name) => {
      const value = item[name]
      return LISTS.some((list) => list === name) ? JSON.stringify(value) : (value as Cell)
    }),
}
