import { type SQL, sql } from 'drizzle-orm'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { caller, inline } from '../../../db/sql/statement'
import { kindIsStopped } from '../../preferences/statements'
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
