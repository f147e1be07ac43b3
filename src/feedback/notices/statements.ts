import type { SQL } from 'drizzle-orm'
import { feedbackNotices } from '../../db/schema/notices'
import { caller, insertInto, statement, type Values } from '../../db/sql/statement'

export const createReleaseNoticeInsert = (version: SQL) =>
  statement<never, Values>(
    insertInto(feedbackNotices, {
      subscriptionId: caller.subscription,
      solutionVersionId: version,
      createdAt: caller.now,
    }),
  )
