import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { choice, type Filter } from '../../../db/filter'
import { falling, list } from '../../../db/list'
import { feedbackItems, feedbackStatuses, feedbackVotes } from '../../../db/schema/feedback'
import { caller, inline, param } from '../../../db/statement'
import { slugify } from '../../../text/slug'
import { ListFeedbackItems } from '../schema'
import { byCreation, filters } from './filters'
import { feedback } from './record'

/** Choice filter: with a sort by creation time an index serves the `indexed` values, all remaining cases scan. */
function choiceWalking<const V extends string>(conditions: Record<V, SQL>, indexed: readonly NoInfer<V>[]): Filter<V> {
  const walks = (sort: SQLiteColumn, limited: boolean, given: V) =>
    limited || sort !== feedbackItems.createdAt || !indexed.includes(given)
  return { ...choice(conditions), walks }
}

const statusOf = (name: string) => sql`coalesce((SELECT ${feedbackStatuses.id} FROM ${feedbackStatuses}
    WHERE ${feedbackStatuses.subscriptionId} = ${caller.subscription} AND ${feedbackStatuses.slug} = ${param(name)}
      AND ${feedbackStatuses.deletedAt} IS NULL), CAST(${param(name)} AS INTEGER))`

const hasStatus: Filter<string> = {
  where: (name) => sql`${feedbackItems.statusId} = ${statusOf(name)}`,
  value: slugify,
}

// Bounds the scan for a user with very many votes; the newest votes count.
const MAX_VOTED = inline(10_000)
const own = sql`${feedbackVotes.subscriptionId} = ${caller.subscription} AND ${feedbackVotes.userId} = ${caller.user}`
const haveIVoted = sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${own} AND ${feedbackVotes.feedbackId} = ${feedbackItems.id})`
const mine = sql`(SELECT ${feedbackVotes.feedbackId} AS id FROM ${feedbackVotes} WHERE ${own}
  ORDER BY ${feedbackVotes.createdAt} DESC LIMIT ${MAX_VOTED}) mine CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = mine.id`

const voted: Filter<'true' | 'false'> = {
  ...choice({ true: haveIVoted, false: sql`NOT ${haveIVoted}` }),
  from: (_, given) => (given === 'true' ? mine : undefined),
  walks: () => true,
}

export const listFeedbackItems = list(feedback, ListFeedbackItems, {
  sorts: {
    createdAt: feedbackItems.createdAt,
    newest: falling(feedbackItems.createdAt),
    oldest: feedbackItems.createdAt,
    'most-voted': falling(feedbackItems.vote),
    trending: falling(feedbackItems.trending),
    'recently-updated': falling(feedbackItems.updatedAt),
  },
  filters: {
    ...filters,
    status: byCreation(hasStatus),
    pinned: choiceWalking(
      { true: sql`${feedbackItems.isPinned} = 1`, false: sql`${feedbackItems.isPinned} IS NOT 1` },
      ['true'],
    ),
    voted,
    visibility_level: choiceWalking(
      {
        pending: sql`${feedbackItems.visibilityLevel} = 'pending'`,
        approved: sql`${feedbackItems.visibilityLevel} = 'approved'`,
        rejected: sql`${feedbackItems.visibilityLevel} = 'rejected'`,
        public: sql`(${feedbackItems.visibilityLevel} IS NULL OR ${feedbackItems.visibilityLevel} = 'approved')`,
      },
      ['pending'],
    ),
  },
}).page
