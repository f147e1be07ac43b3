import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { solutionVersionItems } from '../../../db/schema/solution-versions'
import { caller, inline, statement, type Values } from '../../../db/sql/statement'
import {
  type AudienceCounts,
  audienceCounts,
  countRecipients,
  withAudience,
} from '../../../people/digests/audience/statements'
import { fromReleasedIdeas, selectFollowersOfIdeas } from '../../../people/digests/statements'
import { notFoundError } from '../../../text/errors'
import { withItemsAtOrBelow } from '../../work-items/fields'
import { type SolutionVersionKey, solutionVersion } from '../fields'
import { MAX_COUNTED_IDEAS, MAX_COUNTED_ITEMS, MAX_COUNTED_PAIRS, type ReleaseAudience } from './schema'

const selectItemIds = sql`SELECT b.work_item_id FROM ${solutionVersionItems} b
  WHERE b.subscription_id = ${caller.subscription} AND b.solution_version_id = ${solutionVersion.id}`
const withPairs = sql`WITH ${withItemsAtOrBelow(selectItemIds, inline(MAX_COUNTED_ITEMS))},
  ideas AS MATERIALIZED (SELECT i.id ${fromReleasedIdeas} LIMIT ${inline(MAX_COUNTED_IDEAS)}),
  pairs AS MATERIALIZED (${selectFollowersOfIdeas(inline(MAX_COUNTED_PAIRS))})`
/** A notice about each idea, by the caller. */
const plannedNotices = sql`(SELECT feedback_id, user_id, ${caller.now} AS created_at FROM pairs) n`
const withFollowers = withAudience({ kind: 'release', pairs: plannedNotices, user: sql`n.user_id` })

interface AudienceRow extends AudienceCounts {
  ideas: number
  items: number
  pairs: number
}

const selectAudience = statement<AudienceRow, Values>(sql`${withPairs}, ${withFollowers}
  SELECT ${audienceCounts}, (SELECT count(*) FROM below) AS "items", (SELECT count(*) FROM ideas) AS "ideas",
    (SELECT count(*) FROM pairs) AS "pairs" FROM audience`)

export async function getReleaseAudience(
  db: Database,
  key: SolutionVersionKey,
): Promise<z.input<typeof ReleaseAudience>> {
  const [[row], [found]] = await db.read(selectAudience(key), solutionVersion.selectId(key))
  if (!found || !row) throw notFoundError(solutionVersion.missing)
  const { items, pairs, ...counts } = row
  const isComplete = items < MAX_COUNTED_ITEMS && counts.ideas < MAX_COUNTED_IDEAS && pairs < MAX_COUNTED_PAIRS
  return { recipients: countRecipients(counts), ...counts, isComplete }
}
