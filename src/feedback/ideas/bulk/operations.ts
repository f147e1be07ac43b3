import { BulkDone, type BulkProblemIssues, BulkQuery, bulkModeOf, makeBulkReply } from '../../../http/bulk'
import { operation } from '../../../http/operation'
import { createIdeas } from './queries'
import { readBulkIdeas } from './read'
import { BulkCreateFeedback } from './schema'

const BULK_IDEA_PROBLEMS: BulkProblemIssues = {
  taken: {
    path: '/external_id',
    code: 'conflict',
    message:
      'Another item of this product, or an earlier item of the request, has this source and external_id. Modify the other item, or send another id.',
  },
  removed: {
    path: '/user/email',
    code: 'conflict',
    message: 'The user with this address was removed from the workspace. Restore the user first, or leave user out.',
  },
  nobody: {
    path: '/user/email',
    code: 'insufficient_scope',
    message:
      'No member has this address, and an API key that is limited to products cannot create members. Use the address of a member, or a key without that limit.',
  },
}

export const bulkCreateFeedbackItems = operation({
  id: 'bulkCreateFeedbackItems',
  of: 'feedback',
  route: 'POST /api/feedback-items/bulk-create',
  storesRecords: true,
  summary: 'Create many feedback items at once',
  description:
    'Creates up to 1,000 items in one transaction. Each item has the fields of a create. An invalid item is skipped; with `atomic=true` an invalid item refuses all items. Each item has a result.',
  bulk: true,
  query: BulkQuery,
  body: BulkCreateFeedback,
  data: BulkDone,
  async handle({ query, body, db }) {
    const mode = bulkModeOf(query)
    const items = await readBulkIdeas(body)
    return makeBulkReply({ items, mode, known: BULK_IDEA_PROBLEMS, write: () => createIdeas(db, items, mode) })
  },
})
