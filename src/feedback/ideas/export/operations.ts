import { exportOperation } from '../../../export-operation'
import { ALL_RECORDS_COST_REASON, declareCeiling } from '../../../http/ceiling'
import { type ExportedItem, exportItems } from './queries'
import { ExportFeedback } from './schema'

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
  ...['cover_photo_url', 'id', 'created_at', 'updated_at', 'source', 'external_id'],
  ...['visibility_level', 'is_pinned', 'is_voting_open', 'voting_start_time', 'voting_end_time'],
] as (keyof ExportedItem)[]

export const exportFeedbackItems = exportOperation({
  id: 'exportFeedbackItems',
  ceiling: declareCeiling(320_000, ALL_RECORDS_COST_REASON, 5_400_000),
  of: 'feedback',
  route: 'GET /api/feedback-items/export',
  summary: 'Export feedback items',
  description:
    'Feedback items, oldest first, with the names of categories, statuses, tags and authors. The filters are the filters of the list. `cover_photo_url` has the download paths of the cover photos, below the address of this service. You can import the file without changes.',
  query: ExportFeedback,
  read({ query: { include = [], format: _, ...filters }, db }) {
    const included = [...new Set(include)]
    return {
      name: 'feedback',
      columns: [...EXPORT_HEADER, ...included, ...(included.length ? ['incomplete'] : [])],
      pages: exportItems(db, filters, included),
    }
  },
})
