import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { makeListReader } from '../../../db/records/list'
import { sortDescending, sortInWorkspace } from '../../../db/records/sorts'
import { feedbackItems, feedbackStatuses, feedbackVotes } from '../../../db/schema/feedback'
import { anyChoice, choice, type Filter, hasAttributes, severalValues } from '../../../db/sql/filter'
import { caller, inline, param } from '../../../db/sql/statement'
import { slugifyName } from '../../../text/slug'
import { ListFeedbackItems } from '../list'
import { feedbackFilters, indexedWithCreation } from './filters'
import { feedback } from './record'

function createUnindexedChoice<const V extends string>(
  conditions: Record<V, SQL>,
  indexed: readonly NoInfer<V>[],
): Filter<readonly V[]> {
  const walks = (sort: SQLiteColumn, limited: boolean, given: readonly V[]) =>
    limited || sort !== feedbackItems.createdAt || given.length > 1 || !indexed.some((one) => one === given[0])
  return { ...anyChoice(conditions), isUnindexed: walks }
}

const selectStatusId = (value: SQL) => sql`coalesce((SELECT ${feedbackStatuses.id} FROM ${feedbackStatuses}
    WHERE ${feedbackStatuses.subscriptionId} = ${caller.subscription} AND ${feedbackStatuses.slug} = ${value}
      AND ${feedbackStatuses.deletedAt} IS NULL), CAST(${value} AS INTEGER))`

export const statusFilter = indexedWithCreation<readonly string[]>({
  ...severalValues,
  where: (name, given) =>
    given.length > 1
      ? sql`${feedbackItems.statusId} IN (SELECT ${selectStatusId(sql`value`)} FROM json_each(${param(name)}))`
      : sql`${feedbackItems.statusId} = ${selectStatusId(sql`${param(name)}`)}`,
  value: (given) => (given.length > 1 ? JSON.stringify(given.map(slugifyName)) : slugifyName(given[0] ?? '')),
  references: (given) => given.map((value) => ({ kind: 'statusNameOrId', value: slugifyName(value) })),
})

export const visibilityFilter = createUnindexedChoice(
  {
    pending: sql`${feedbackItems.visibilityLevel} = 'pending'`,
    approved: sql`${feedbackItems.visibilityLevel} = 'approved'`,
    rejected: sql`${feedbackItems.visibilityLevel} = 'rejected'`,
    public: sql`(${feedbackItems.visibilityLevel} IS NULL OR ${feedbackItems.visibilityLevel} = 'approved')`,
  },
  ['pending'],
)

// Bounds the scan for a user with very many votes; the newest votes count.
const maxOwnVotes = inline(10_000)
const voteIsOwn = sql`${feedbackVotes.subscriptionId} = ${caller.subscription} AND ${feedbackVotes.userId} = ${caller.user}`
const callerHasVoted = sql`EXISTS (SELECT 1 FROM ${feedbackVotes} WHERE ${voteIsOwn} AND ${feedbackVotes.feedbackId} = ${feedbackItems.id})`
const fromOwnVotes = sql`(SELECT ${feedbackVotes.feedbackId} AS id FROM ${feedbackVotes} WHERE ${voteIsOwn}
  ORDER BY ${feedbackVotes.createdAt} DESC LIMIT ${maxOwnVotes}) mine CROSS JOIN ${feedbackItems} ON ${feedbackItems.id} = mine.id`

const ownVoteFilter: Filter<'true' | 'false'> = {
  ...choice({ true: callerHasVoted, false: sql`NOT ${callerHasVoted}` }),
  source: (_, given) => (given === 'true' ? fromOwnVotes : undefined),
  isUnindexed: () => true,
}

const pinnedFilter: Filter<'true' | 'false'> = {
  ...choice({ true: sql`${feedbackItems.isPinned} = 1`, false: sql`${feedbackItems.isPinned} IS NOT 1` }),
  isUnindexed: (sort, limited, given) => limited || sort !== feedbackItems.createdAt || given === 'false',
}

export const listFeedbackItems = makeListReader(feedback, ListFeedbackItems, {
  sorts: {
    createdAt: feedbackItems.createdAt,
    newest: sortDescending(feedbackItems.createdAt),
    oldest: feedbackItems.createdAt,
    'most-voted': sortInWorkspace(sortDescending(feedbackItems.vote)),
    trending: sortInWorkspace(sortDescending(feedbackItems.trending)),
    'recently-updated': sortInWorkspace(sortDescending(feedbackItems.updatedAt)),
  },
  filters: {
    ...feedbackFilters,
    status: statusFilter,
    pinned: pinnedFilter,
    attributes: hasAttributes(feedbackItems.attributes),
    voted: ownVoteFilter,
    visibility_level: visibilityFilter,
  },
}).page
