import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { caller, inline, statement, type Values } from '../../../db/sql/statement'
import {
  type AudienceCounts,
  audienceCounts,
  countRecipients,
  selectReplyAudience,
  withAudience,
} from '../../../people/digests/audience/statements'
import { selectPossibleFollowers } from '../../../people/digests/statements'
import { notFoundError } from '../../../text/errors'
import { type FeedbackKey, feedback } from '../../ideas/statements'
import { MAX_COUNTED_FOLLOWERS, MAX_NAMED_RECIPIENTS, type StatusUpdateAudience } from './schema'

const withSlice = sql`WITH slice AS MATERIALIZED (${selectPossibleFollowers({
  ...{ idea: feedback.id, after: sql`0`, limit: inline(MAX_COUNTED_FOLLOWERS) },
})})`
/** A notice about a new status by the caller. */
const plannedNotice = sql`(SELECT ${feedback.id} AS feedback_id, ${caller.now} AS created_at) n`
const withFollowers = withAudience({
  ...{ kind: 'status', pairs: sql`${plannedNotice} CROSS JOIN slice`, user: sql`slice.user_id` },
})
const firstRecipients = sql`SELECT * FROM audience WHERE NOT stopped AND NOT suppressed
  ORDER BY id LIMIT ${inline(MAX_NAMED_RECIPIENTS)}`
const personJson = sql`json_object('id', id, 'firstName', first_name, 'lastName', last_name, 'email', email)`
const firstRecipientsJson = sql`(SELECT json_group_array(${personJson}) FROM (${firstRecipients}))`
const replyJson = sql`(SELECT json_object('author', iif(reason IS NULL, ${personJson}, NULL), 'nobodyBecause', reason)
  FROM (${selectReplyAudience(feedback.id)}))`

interface AudienceRow extends AudienceCounts {
  counted: number
  people: string
  reply: string
}

const selectAudience = statement<AudienceRow, Values>(sql`${withSlice}, ${withFollowers}
  SELECT ${audienceCounts}, (SELECT count(*) FROM slice) AS "counted", ${firstRecipientsJson} AS "people",
    ${replyJson} AS "reply" FROM audience`)

export async function getStatusUpdateAudience(
  db: Database,
  key: FeedbackKey,
): Promise<z.input<typeof StatusUpdateAudience>> {
  const [[row], [found]] = await db.read(selectAudience(key), feedback.selectId(key))
  if (!found || !row) throw notFoundError(feedback.missing)
  const { counted, people, reply, ...counts } = row
  const isComplete = counted < MAX_COUNTED_FOLLOWERS
  return {
    ...{ recipients: countRecipients(counts), ...counts, people: JSON.parse(people), isComplete },
    reply: JSON.parse(reply),
  }
}
