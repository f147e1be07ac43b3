import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { caller, inline, statement, type Values } from '../../../db/sql/statement'
import { fromFollowersOf, selectPossibleFollowers } from '../../../people/digests/statements'
import { kindIsStopped } from '../../../people/preferences/statements'
import { notFoundError } from '../../../text/errors'
import { type FeedbackKey, feedback } from '../../ideas/statements'
import { MAX_COUNTED_FOLLOWERS, MAX_NAMED_RECIPIENTS, type StatusUpdateAudience } from './schema'

const maxCounted = inline(MAX_COUNTED_FOLLOWERS)
const withSlice = sql`WITH slice AS MATERIALIZED (${selectPossibleFollowers({
  ...{ idea: feedback.id, after: sql`0`, limit: maxCounted },
})})`
/** A notice about a new status by the caller, which nobody has stored. */
const plannedNotice = sql`(SELECT ${feedback.id} AS feedback_id, ${caller.now} AS created_at) n`
const isSuppressed = sql`EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = u.email AND ${suppressions.segmentId} = 0)`

interface AudienceRow {
  followers: number
  stopped: number
  suppressed: number
  counted: number
  people: string
}

const withFollowers = sql`${withSlice}, followers AS MATERIALIZED (SELECT u.id, u.first_name, u.last_name, u.email,
    ${kindIsStopped(sql`'status'`)} AS stopped, ${isSuppressed} AS suppressed
    ${fromFollowersOf(plannedNotice, sql`u.id <> ${caller.user}`)})`
const firstRecipients = sql`SELECT * FROM followers WHERE NOT stopped AND NOT suppressed
  ORDER BY id LIMIT ${inline(MAX_NAMED_RECIPIENTS)}`
const firstRecipientsJson = sql`(SELECT json_group_array(json_object('id', id, 'firstName', first_name, 'lastName', last_name,
  'email', email)) FROM (${firstRecipients}))`

const selectAudience = statement<AudienceRow, Values>(sql`${withFollowers}
  SELECT count(*) AS "followers", coalesce(sum(stopped), 0) AS "stopped", coalesce(sum(suppressed AND NOT stopped), 0) AS "suppressed",
    (SELECT count(*) FROM slice) AS "counted", ${firstRecipientsJson} AS "people" FROM followers`)

export async function getStatusUpdateAudience(
  db: Database,
  key: FeedbackKey,
): Promise<z.input<typeof StatusUpdateAudience>> {
  const [[row], [found]] = await db.read(selectAudience(key), feedback.selectId(key))
  if (!found || !row) throw notFoundError(feedback.missing)
  const { followers, stopped, suppressed, counted, people } = row
  const recipients = followers - stopped - suppressed
  const isComplete = counted < MAX_COUNTED_FOLLOWERS
  return { recipients, followers, stopped, suppressed, people: JSON.parse(people), isComplete }
}
