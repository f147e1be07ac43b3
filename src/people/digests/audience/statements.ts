import { type SQL, sql } from 'drizzle-orm'
import { feedbackItems, feedbackSubscriptions } from '../../../db/schema/feedback'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, inline } from '../../../db/sql/statement'
import type { ReasonWithoutReplyMail } from '../../notices/schema'
import { joinPreferences, kindIsStopped } from '../../preferences/statements'
import { fromFollowersOf } from '../statements'

const isSuppressed = sql`EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = u.email AND ${suppressions.segmentId} = 0)`

interface FollowersOptions {
  kind: 'status' | 'release'
  /** Notices `n`, which nobody has stored, each with a possible follower. */
  pairs: SQL
  /** Id of the possible follower. */
  user: SQL
}

/** A table of the people who follow an idea of `pairs`, without the caller, each once. */
export const withAudience = ({ kind, pairs, user }: FollowersOptions) => sql`audience AS MATERIALIZED (
    SELECT DISTINCT u.id, u.first_name, u.last_name, u.email, ${kindIsStopped(inline(kind))} AS stopped, ${isSuppressed} AS suppressed
    ${fromFollowersOf(pairs, user, sql`u.id <> ${caller.user}`)})`

export interface AudienceCounts {
  followers: number
  stopped: number
  suppressed: number
}

export const audienceCounts = sql`count(*) AS "followers", coalesce(sum(stopped), 0) AS "stopped",
  coalesce(sum(suppressed AND NOT stopped), 0) AS "suppressed"`

export const countRecipients = ({ followers, stopped, suppressed }: AudienceCounts): number =>
  followers - stopped - suppressed

const reason = (name: ReasonWithoutReplyMail) => inline(name)

/** The author `u` of the idea, and why a public comment of the caller does not mail the author. */
export const selectReplyAudience = (idea: SQL): SQL => sql`SELECT u.id, u.first_name, u.last_name, u.email, CASE
      WHEN NOT EXISTS (SELECT 1 FROM ${users} c WHERE c.id = ${caller.user} AND c.subscription_id = ${caller.subscription}
        AND c.role <> 'idm_member') THEN ${reason('notOfTeam')}
      WHEN i.is_anonymous IS 1 THEN ${reason('anonymous')}
      WHEN i.user_id = ${caller.user} THEN ${reason('own')}
      WHEN u.id IS NULL THEN ${reason('removed')}
      WHEN s.reason = 'left' THEN ${reason('left')}
      WHEN ${kindIsStopped(sql`'reply'`)} THEN ${reason('stopped')}
      WHEN ${isSuppressed} THEN ${reason('suppressed')} END AS reason
    FROM ${feedbackItems} i
      LEFT JOIN ${users} u ON u.id = i.user_id AND +u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL
      ${joinPreferences(sql`u.id`)}
      LEFT JOIN ${feedbackSubscriptions} s ON s.subscription_id = ${caller.subscription} AND s.feedback_id = i.id AND s.user_id = i.user_id
    WHERE i.id = ${idea} AND +i.subscription_id = ${caller.subscription}`
