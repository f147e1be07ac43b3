import { BulkDone, type BulkProblems, BulkQuery, bulkReply, modeOf } from '../../../http/bulk'
import { operation } from '../../../http/operation'
import { bulkIdeas } from './queries'
import { readIdeas } from './read'
import { BulkCreateFeedback } from './schema'

const PROBLEMS: BulkProblems = {
  removed: {
    path: '/user/email',
    code: 'conflict',
    message: 'Whoever has this address was removed from the workspace. Restore the user first, or leave user out.',
  },
  nobody: {
    path: '/user/email',
    code: 'insufficient_scope',
    message:
      'Nobody of the workspace has this address, and an API key that is limited to products makes nobody a member. Name somebody who is one, or use a key without that limit.',
  },
}

export const bulkCreateFeedbackItems = operation({
  id: 'bulkCreateFeedbackItems',
  of: 'feedback',
  route: 'POST /api/feedback-items/bulk-create',
  summary: 'Create many feedback items at once',
  description:
    'Up to 1,000 items, each as the body of a create, together in one transaction. One that is wrong keeps none of the others out, unless `atomic=true`; each has its result.',
  bulk: true,
  query: BulkQuery,
  body: BulkCreateFeedback,
  data: BulkDone,
  async handle({ query, body, db }) {
    const mode = modeOf(query)
    const items = await readIdeas(body)
    return bulkReply({ items, mode, known: PROBLEMS, write: () => bulkIdeas(db, items, mode) })
  },
})
