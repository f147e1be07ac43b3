import type { SQL } from 'drizzle-orm'
import { feedbackNotices } from '../../db/schema/feedback'
import { caller, insertInto, statement, type Values } from '../../db/sql/statement'

/** Queues mails about the release of a version to the voters of the ideas in the version. */
export const enqueueReleaseNotice = (version: SQL) =>
  statement<never, Values>(
    insertInto(feedbackNotices, {
      subscriptionId: caller.subscription,
      solutionVersionId: version,
      createdAt: caller.now,
    }),
  )
