import { BulkDone, type BulkProblemIssues, BulkQuery, bulkModeOf, makeBulkReply } from '../../http/bulk'
import { operation } from '../../http/operation'
import { changeIdeas } from './queries'
import { MAX_MERGES_PER_REQUEST, readIdeaChanges } from './read'
import { BulkFeedback } from './schema'

const IDEA_CHANGE_PROBLEMS: BulkProblemIssues = {
  absent: {
    path: '/externalKey',
    code: 'unknown_reference',
    message: 'No such feedback item, or this API key does not cover its product. Use a key like IDEA-1.',
  },
  merged: {
    path: '/externalKey',
    code: 'conflict',
    message: 'This item was merged into another item. Use the other item, or unmerge this item first.',
  },
  start: { path: '/body/voting_start_time', message: 'Must not be after the voting_end_time of the item' },
  end: { path: '/body/voting_end_time', message: 'Must not be before the voting_start_time of the item' },
}

export const bulkFeedbackItems = operation({
  id: 'bulkFeedbackItems',
  of: 'feedback',
  route: 'PUT /api/feedback-items/bulk',
  summary: 'Modify, remove and merge many feedback items at once',
  description: `Applies up to 1,000 operations in one transaction: updates, then deletes, then merges. A request merges at most ${MAX_MERGES_PER_REQUEST} items. An update has the fields of a modify except \`slug\`, \`is_anonymous\`, \`source\` and \`external_id\`. A request names each item once, and cannot merge an item into an item that another operation merges or deletes. A failed operation stops no other operation, unless \`atomic=true\`. Each operation has its own result.`,
  bulk: true,
  query: BulkQuery,
  body: BulkFeedback,
  data: BulkDone,
  async handle({ query, body, db, actor, enqueue }) {
    const mode = bulkModeOf(query)
    const items = await readIdeaChanges(body)
    const reply = await makeBulkReply({
      items,
      mode,
      known: IDEA_CHANGE_PROBLEMS,
      write: () => changeIdeas(db, items, mode),
    })
    if (!mode.dryRun && items.some(({ body: { status_id, notify } }) => status_id && notify !== 'none'))
      enqueue({ kind: 'feedback.notices', subscriptionId: actor.subscriptionId })
    return reply
  },
})
