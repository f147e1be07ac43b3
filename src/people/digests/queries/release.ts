import { sql } from 'drizzle-orm'
import { notices } from '../../../db/schema/notices'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { caller, param, statement, type Values } from '../../../db/sql/statement'

const isReleaseOfNotice = sql`release.id = n.solution_version_id AND release.subscription_id = ${caller.subscription}
  AND release.released_at = n.created_at AND release.deleted_at IS NULL`

/** A notice of a release that was taken back says nothing, also when the version is released again. */
export const versionIsReleased = sql`(n.solution_version_id IS NULL OR EXISTS (SELECT 1 FROM ${solutionVersions} release WHERE ${isReleaseOfNotice}))`

/** Releases whose mail leaves can no longer be taken back. */
export const endRevocableReleases = statement<
  never,
  Values
>(sql`UPDATE ${solutionVersions} SET revocable_until = ${caller.now}
  WHERE +${solutionVersions.subscriptionId} = ${caller.subscription} AND ${solutionVersions.revocableUntil} > ${caller.now}
    AND ${solutionVersions.id} IN (SELECT release.id FROM json_each(${param('shown')}) shown
      CROSS JOIN ${notices} n ON n.id = shown.value AND +n.subscription_id = ${caller.subscription} AND n.withdrawn_at IS NULL
      CROSS JOIN ${solutionVersions} release ON ${isReleaseOfNotice})`)
