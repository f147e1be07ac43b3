import { type CsvCell, EXPORT_MEDIA_TYPES, streamExportFile } from '../../../files/write'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../../http/ceiling'
import { awaitFirstItem, downloadResponse } from '../../../http/download'
import { operation } from '../../../http/operation'
import { type ExportedItem, exportItems } from './queries'
import { ExportFeedback, type IncludedList } from './schema'

const EXPORT_HEADER = [
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

const createExportColumns = (included: readonly IncludedList[]) => {
  const header = [...EXPORT_HEADER, ...included]
  return {
    header,
    cells: (item: ExportedItem): CsvCell[] =>
      header.map((name) => {
        const value = item[name] ?? ''
        return typeof value === 'object' ? JSON.stringify(value) : value
      }),
  }
}

export const exportFeedbackItems = operation({
  id: 'exportFeedbackItems',
  ceiling: declareCeiling(320_000, ALL_RECORDS_COST_REASON, 5_400_000),
  of: 'feedback',
  route: 'GET /api/feedback-items/export',
  summary: 'Export feedback items',
  description:
    'Feedback items, oldest first, with the names of categories, statuses, tags and authors. The file is made during the download: a file that ends early was interrupted. In CSV, lists and objects are JSON, and a text that a spreadsheet could read as a formula has an apostrophe before it. You can import the file without changes.',
  query: ExportFeedback,
  streamedTypes: Object.values(EXPORT_MEDIA_TYPES),
  async handle({ query: { format, include = [], product }, db }) {
    const included = [...new Set(include)]
    const pages = await awaitFirstItem(exportItems(db, product, included))
    const pieces = streamExportFile(format, pages, createExportColumns(included))
    return downloadResponse({ type: EXPORT_MEDIA_TYPES[format], name: `feedback.${format}`, pieces })
  },
})
