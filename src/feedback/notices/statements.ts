import type { SQL } from 'drizzle-orm'
import { feedbackNotices } from '../../db/schema/feedback'
import { caller, insertInto, statement, type Values } from '../../db/statement'

/** Makes the statement by which those who have voted for what a version brings are mailed of its release. */
export const noticesRelease = (version: SQL) =>
  statement<never, Values>(
    insertInto(feedbackNotices, {
      subscriptionId: caller.subscription,
      solutionVersionId: version,
      createdAt: caller.now,
    }),
  )
