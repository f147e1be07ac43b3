import { type Cell, fileOf, MEDIA_TYPES } from '../../../files/write'
import { ALL_RECORDS, walk } from '../../../http/ceiling'
import { begun, download } from '../../../http/download'
import { operation } from '../../../http/operation'
import { type ExportedItem, exportItems } from './queries'
import { ExportFeedback, type Included } from './schema'

const HEADER = [
  ...['external_key', 'product', 'type', 'title', 'slug', 'category', 'status', 'tags', 'target_audience'],
  ...[
    'value_proposition',
    'long_description',
    'collections',
    'attributes',
    'is_anonymous',
    'author',
    'author_name',
    'vote',
    'comment',
  ],
  ...['cover_photo_url', 'id', 'created_at', 'updated_at'],
] as (keyof ExportedItem)[]

const columnsOf = (included: readonly Included[]) => {
  const header = [...HEADER, ...included]
  return {
    header,
    cells: (item: ExportedItem): Cell[] =>
      header.map((name) => {
        const value = item[name] ?? ''
        return typeof value === 'object' ? JSON.stringify(value) : value
      }),
  }
}

export const exportFeedbackItems = operation({
  id: 'exportFeedbackItems',
  ceiling: walk(320_000, ALL_RECORDS, 5_400_000),
  of: 'feedback',
  route: 'GET /api/feedback-items/export',
  summary: 'Export feedback items',
  description:
    'The oldest first, with the names of their categories, statuses, tags and authors, as a download that is made while it is read: one that ends early was interrupted. In CSV what is a list or an object is JSON, and what a spreadsheet would calculate has an apostrophe before it. An import takes the file as it is.',
  query: ExportFeedback,
  streams: Object.values(MEDIA_TYPES),
  async handle({ query: { format, include = [], product }, db }) {
    const included = [...new Set(include)]
    const pages = await begun(exportItems(db, product, included))
    const pieces = fileOf(format, pages, columnsOf(included))
    return download({ type: MEDIA_TYPES[format], name: `feedback.${format}`, pieces })
  },
})
