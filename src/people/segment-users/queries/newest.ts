import { type SQL, sql } from 'drizzle-orm'
import { type Answer, answer } from '../../../db/answer'
import { segmentMembers } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { readLeaves, selectionOf } from '../../../db/selection'
import { caller, inline, param, type Statement, statement, textsBy, type Values } from '../../../db/statement'
import { member } from '../../members/fields'
import type { Rules } from '../../segments/rules/schema'
import { dynamicMembers, type SegmentKey } from '../../segments/statements'

// Limit per segment (docs/api-conventions.md).
const NEWEST_COUNT = 100
const NEWEST = inline(NEWEST_COUNT)

const texts = [users.email, users.firstName, users.lastName, users.attributes]
const bytes = sql.join(
  texts.map((column) => sql`octet_length(${column})`),
  sql` + `,
)
const read = sql`SELECT ${users.id} AS id, ${users.createdAt} AS created_at, ${bytes} AS bytes`

// User ids ascend in order of creation, hence the index of memberships returns the newest members.
const ofSegment = sql`${read} FROM ${segmentMembers} CROSS JOIN ${users} ON ${users.id} = ${segmentMembers.userId}
  WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}
  ORDER BY ${segmentMembers.userId} DESC LIMIT ${NEWEST}`

const ofRules = (members: SQL) => sql`${read} FROM ${users} WHERE ${members}
  ORDER BY ${users.createdAt} DESC, ${users.id} DESC LIMIT ${NEWEST}`

/** Limits users to a total size of `bytes`, but to at least one user. */
const fitting = (people: SQL) => sql`(SELECT id, created_at, bytes,
    sum(bytes) OVER (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS "upTo" FROM (${people})) page`

const shown = (people: SQL) => sql`SELECT ${selectionOf(member.items)} FROM ${fitting(people)}
  CROSS JOIN ${users} ON ${users.id} = page.id WHERE page."upTo" <= ${param('bytes')} OR page."upTo" = page.bytes
  ORDER BY page.created_at DESC, page.id DESC`

type Row = Record<string, unknown>

export const newestOfSegment = statement<Row, SegmentKey & { bytes: number }>(() => shown(ofSegment))

const byRules = textsBy((members: SQL) => shown(ofRules(members)))

export function newestOfRules(rules: Rules, bytes: number): Statement<Row> {
  const { name, where, values } = dynamicMembers(rules)
  return { template: byRules(name, where), values: { ...values, bytes } }
}

export type Previewed = { userCount: number; collected: number; id: number | null }

const previews = new Map<string, (values: Values) => Answer<Previewed>>()
const MAX_PREVIEWS = 256

/**
 * Returns the number of users who match the rules, and the newest matches: a row with a null id if there is no match.
 */
export function previewOfRules(rules: Rules, bytes: number): Answer<Previewed> {
  const { name, where, values } = dynamicMembers(rules)
  const made = previews.get(name) ?? previewSql(where)
  if (previews.size >= MAX_PREVIEWS) previews.clear()
  previews.set(name, made)
  return made({ ...values, bytes })
}

/**
 * Splits a preview into the count and the rows of members. `isShort` says that a newest member may be missing, because
 * in a large database the newest members may not have the highest ids; a separate query then returns all.
 */
export function readPreview(previewed: readonly Previewed[]): { userCount: number; rows: Row[]; isShort: boolean } {
  const rows = previewed.flatMap(({ userCount: _, collected: __, ...row }) => (row.id === null ? [] : [row]))
  const { userCount = 0, collected = 0 } = previewed[0] ?? {}
  return { userCount, rows, isShort: collected < Math.min(userCount, NEWEST_COUNT) }
}

// A JSON text has at most 2 MB.
const COLLECTED = inline(100_000)
const firstCollected = sql`(SELECT max(${users.id}) FROM ${users}) - ${COLLECTED}`

/** Reads in the order of an index, because sorting is slow; LIMIT keeps the order. */
const ordered = (members: SQL) => sql`SELECT ${users.id} AS id FROM ${users} WHERE ${members}
  ORDER BY ${users.createdAt} DESC, ${users.id} DESC LIMIT -1`

const previewSql = (members: SQL) =>
  answer<Previewed, Values>(
    {
      ...(Object.fromEntries(readLeaves(member.items).map(({ name, field }) => [name, field.sql])) as { id: SQL }),
      userCount: sql`page.n`,
      collected: sql`page.collected`,
    },
    sql`FROM (
        WITH counted AS MATERIALIZED (SELECT count(*) AS n,
          json_group_array(id) FILTER (WHERE id > ${firstCollected}) AS ids FROM (${ordered(members)}))
        SELECT counted.n AS n, json_array_length(counted.ids) AS collected, newest.position AS position, u.id AS id,
          sum(octet_length(u.attributes)) OVER (ORDER BY newest.position ROWS UNBOUNDED PRECEDING) - octet_length(u.attributes) AS "before"
        FROM counted
        LEFT JOIN (SELECT listed.key AS position, listed.value AS id
          FROM counted CROSS JOIN json_each(counted.ids) listed LIMIT ${NEWEST}) newest
        LEFT JOIN ${users} u ON u.id = newest.id) page
      LEFT JOIN ${users} ON ${users.id} = page.id
      WHERE page.id IS NULL OR page."before" <= ${param('bytes')} ORDER BY page.position`,
  )
