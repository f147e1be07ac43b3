import { type SQL, sql } from 'drizzle-orm'
import { segmentMembers } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { type Returning, returning } from '../../../db/sql/returning'
import { chooseSelectedLeaves, selectListOf } from '../../../db/sql/selection'
import {
  caller,
  inline,
  makeStatementCache,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../db/sql/statement'
import { member } from '../../members/fields'
import type { Rules } from '../../segments/rules/schema'
import { compileDynamicMembers, type SegmentKey } from '../../segments/statements'

const MAX_NEWEST_MEMBERS = 100
const newestMembersLimit = inline(MAX_NEWEST_MEMBERS)

const memberTextColumns = [users.email, users.firstName, users.lastName, users.attributes]
const memberBytes = sql.join(
  memberTextColumns.map((column) => sql`octet_length(${column})`),
  sql` + `,
)
const selectMemberSizes = sql`SELECT ${users.id} AS id, ${users.createdAt} AS created_at, ${memberBytes} AS bytes`

// User ids ascend in order of creation, hence the index of memberships returns the newest members.
const selectNewestIdsInSegment = sql`${selectMemberSizes} FROM ${segmentMembers} CROSS JOIN ${users} ON ${users.id} = ${segmentMembers.userId}
  WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}
  ORDER BY ${segmentMembers.userId} DESC LIMIT ${newestMembersLimit}`

const selectNewestIdsByRules = (members: SQL) => sql`${selectMemberSizes} FROM ${users} WHERE ${members}
  ORDER BY ${users.createdAt} DESC, ${users.id} DESC LIMIT ${newestMembersLimit}`

/** Limits users to a total size of `bytes`, but to at least one user. */
const limitMembersByBytes = (people: SQL) => sql`(SELECT id, created_at, bytes,
    sum(bytes) OVER (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS "upTo" FROM (${people})) page`

const selectMembersWithinBytes = (
  people: SQL,
) => sql`SELECT ${selectListOf(member.items)} FROM ${limitMembersByBytes(people)}
  CROSS JOIN ${users} ON ${users.id} = page.id WHERE page."upTo" <= ${param('bytes')} OR page."upTo" = page.bytes
  ORDER BY page.created_at DESC, page.id DESC`

type MemberRow = Record<string, unknown>

export const selectNewestInSegment = statement<MemberRow, SegmentKey & { bytes: number }>(() =>
  selectMembersWithinBytes(selectNewestIdsInSegment),
)

const getNewestTemplate = makeStatementCache((members: SQL) =>
  selectMembersWithinBytes(selectNewestIdsByRules(members)),
)

export function selectNewestByRules(rules: Rules, bytes: number): Statement<MemberRow> {
  const { name, where, values } = compileDynamicMembers(rules)
  return { template: getNewestTemplate(name, where), values: { ...values, bytes } }
}

export type PreviewRow = { userCount: number; collected: number; unset: string | null; id: number | null }

const previewsByRules = new Map<string, (values: Values) => Returning<PreviewRow>>()
const MAX_CACHED_PREVIEWS = 256

interface PreviewOptions {
  rules: Rules
  /** Limit of the attributes of all members together. */
  bytes: number
  /** Whether to count the people without the attribute of a condition. */
  countsUnset?: boolean
}

/** Has a single row with a null id if no user matches. */
export function returningPreview({ rules, bytes, countsUnset = false }: PreviewOptions): Returning<PreviewRow> {
  const { name, where, values, unset } = compileDynamicMembers(rules)
  const counted = countsUnset ? unset.map((one) => one.where) : []
  const key = `${countsUnset} ${name}`
  const made = previewsByRules.get(key) ?? createPreviewReturning(where, counted)
  if (previewsByRules.size >= MAX_CACHED_PREVIEWS) previewsByRules.clear()
  previewsByRules.set(key, made)
  return made({ ...values, bytes })
}

/** For each condition, in the order of the request. */
export function readUnsetCounts(rules: Rules, previewed: readonly PreviewRow[]): (number | null)[] {
  const counts = JSON.parse(previewed[0]?.unset ?? '[]') as number[]
  const positions = compileDynamicMembers(rules).unset.map(({ position }) => position)
  return rules.conditions.map((_, position) => counts[positions.indexOf(position)] ?? null)
}

/**
 * `isShort` says that a newest member may be missing, because in a large database the newest members may not have the
 * highest ids; a separate query then returns all.
 */
export function readPreview(previewed: readonly PreviewRow[]): {
  userCount: number
  rows: MemberRow[]
  isShort: boolean
} {
  const rows = previewed.flatMap(({ userCount: _, collected: __, unset: ___, ...row }) =>
    row.id === null ? [] : [row],
  )
  const { userCount = 0, collected = 0 } = previewed[0] ?? {}
  return { userCount, rows, isShort: collected < Math.min(userCount, MAX_NEWEST_MEMBERS) }
}

// A JSON text has at most 2 MB.
const MAX_COLLECTED_IDS = inline(100_000)
const lowestCollectedId = sql`(SELECT max(${users.id}) FROM ${users}) - ${MAX_COLLECTED_IDS}`

/** Reads in the order of an index, because sorting is slow; LIMIT keeps the order. */
const selectOrderedMemberIds = (members: SQL) => sql`SELECT ${users.id} AS id FROM ${users} WHERE ${members}
  ORDER BY ${users.createdAt} DESC, ${users.id} DESC LIMIT -1`

/** One pass over the users of the workspace counts for all conditions. */
const selectUnsetCounts = (conditions: readonly SQL[]) =>
  conditions.length === 0
    ? sql`NULL`
    : sql`(SELECT json_array(${sql.join(
        conditions.map((condition) => sql`coalesce(sum(${condition}), 0)`),
        sql`, `,
      )}) FROM ${users} WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL)`

const createPreviewReturning = (members: SQL, unset: readonly SQL[]) =>
  returning<PreviewRow, Values>(
    {
      ...(Object.fromEntries(chooseSelectedLeaves(member.items).map(({ name, field }) => [name, field.sql])) as {
        id: SQL
      }),
      userCount: sql`page.n`,
      collected: sql`page.collected`,
      unset: sql`page.unset`,
    },
    sql`FROM (
        WITH counted AS MATERIALIZED (SELECT count(*) AS n,
          json_group_array(id) FILTER (WHERE id > ${lowestCollectedId}) AS ids, ${selectUnsetCounts(unset)} AS unset
          FROM (${selectOrderedMemberIds(members)}))
        SELECT counted.n AS n, json_array_length(counted.ids) AS collected, counted.unset AS unset, newest.position AS position, u.id AS id,
          sum(octet_length(u.attributes)) OVER (ORDER BY newest.position ROWS UNBOUNDED PRECEDING) - octet_length(u.attributes) AS "before"
        FROM counted
        LEFT JOIN (SELECT listed.key AS position, listed.value AS id
          FROM counted CROSS JOIN json_each(counted.ids) listed LIMIT ${newestMembersLimit}) newest
        LEFT JOIN ${users} u ON u.id = newest.id) page
      LEFT JOIN ${users} ON ${users.id} = page.id
      WHERE page.id IS NULL OR page."before" <= ${param('bytes')} ORDER BY page.position`,
  )
