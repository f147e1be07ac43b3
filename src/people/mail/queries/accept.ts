import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { answer } from '../../../db/answer'
import type { Database, Write } from '../../../db/client'
import { rowsThatFit } from '../../../db/page'
import type { Reference } from '../../../db/references'
import { type Guard, guard, Told } from '../../../db/refuse'
import { emails, segmentMembers, segments } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, param, type Statement, statement, type Values } from '../../../db/statement'
import { ApiError } from '../../../text/errors'
import type { Rules } from '../../segments/rules/schema'
import type { Condition } from '../../segments/rules/statements'
import { dynamicMembers, recount, refusesTooMuchWork, segment } from '../../segments/statements'
import type { PerHour } from '../bounds'
import { ofThisMailing } from '../delivery/queries/chunk'
import { acceptedMailing, addressesIn, addressesOf, mails, type NewMailing, namedMailing } from '../statements'

const HOUR = inline(3_600_000)

function bound(what: string, of: SQL, most: SQLWrapper) {
  // The oldest mailing that must leave the hour before another mailing is allowed.
  const hindering = sql`(SELECT ${emails.createdAt} FROM ${emails} WHERE ${emails.subscriptionId} = ${caller.subscription} ${of}
      AND ${emails.createdAt} > ${caller.now} - ${HOUR}
    ORDER BY ${emails.createdAt} DESC LIMIT 1 OFFSET ${most} - 1)`
  return guard<Values>(
    sql`'rate_limited:' || CAST((${hindering} + ${HOUR} - ${caller.now} + 999) / 1000 AS INTEGER)
      || ${inline(`:This ${what} was mailed `)} || CAST(${most} AS INTEGER) || ' times within an hour. Send later.'`,
    sql`${hindering} IS NOT NULL`,
  )
}

const segmentTooOften = bound('segment', sql`AND ${emails.segmentId} = ${param('segmentId')}`, param('perHour'))
// Mail that the service sends on its own, like invitations, does not count; an index covers the counted kinds.
const byHand = sql`AND ${emails.kind} IN ('segment', 'members', 'test')`
const workspaceTooOften = bound('workspace', byHand, param('inAll'))

const YEAR = inline(366 * 86_400_000)

// Checked in the batch with the idempotency key, because a late retry must get the first response instead of an error.
const past = guard<{ scheduledAt: number | null }>(
  inline('validation_failed:/scheduledAt:Must lie in the future, within a year. Leave it out to send at once.'),
  sql`${param('scheduledAt')} <= ${caller.now} OR ${param('scheduledAt')} > ${caller.now} + ${YEAR}`,
)

const inserted = answer<{ id: number; total: number }, Values>(
  { id: emails.id, total: emails.total },
  sql`FROM ${emails} WHERE ${acceptedMailing}`,
)

const selectAddressesAgain = statement<{ email: string }, { emailId: number }>(addressesIn(ofThisMailing))

type Addresses = { email: string }[]

// Rows of the mailing, its event and its chunks.
const ROWS_PER_MAILING = 20
const mailRows = (recipients: number, { chunkSize }: NewMailing) =>
  ROWS_PER_MAILING + recipients + 3 * Math.ceil(recipients / chunkSize)

export interface Accepted {
  id: number
  total: number
  /** The first 50,000 addresses, or fewer if the response would exceed 4 MB. */
  addresses: Addresses
  replayed: boolean
}

const MEMBER_BYTES = '{"email":""},'.length

const firstThatFit = (addresses: Addresses) =>
  addresses.slice(
    0,
    rowsThatFit(addresses, ['email'], () => MEMBER_BYTES),
  )

async function accept(
  db: Database,
  letter: NewMailing,
  statements: readonly Statement<never>[],
  {
    guards = [],
    references = [],
    estimatedRows = 0,
  }: Pick<Write<[], never>, 'guards' | 'references' | 'estimatedRows'>,
): Promise<Accepted> {
  const {
    answer: [{ id, total }],
    rows,
  } = await db.write({
    guards: [...guards, past({ scheduledAt: letter.scheduledAt })],
    references,
    statements: [...statements, { ...addressesOf(letter), long: true }],
    estimatedRows,
    answer: inserted(namedMailing(letter)),
  })
  if (rows) return { id, total, addresses: firstThatFit(rows.at(-1) as Addresses), replayed: false }
  const [addresses] = await db.read(selectAddressesAgain({ emailId: id }))
  return { id, total, addresses: firstThatFit(addresses), replayed: true }
}

const within = ({ workspace }: PerHour): Guard => workspaceTooOften({ inAll: workspace })

type Segment = { segmentId: number }

// CROSS JOIN fixes the join order: members of the segment first, users second.
const toSegment = mails<Segment>(
  'segment',
  sql`SELECT ${segmentMembers.userId} AS "userId", NULL AS "variables" FROM ${segmentMembers}
    WHERE ${segmentMembers.subscriptionId} = ${caller.subscription} AND ${segmentMembers.segmentId} = ${param('segmentId')}`,
  { evenToNobody: true },
)

const toThose = new Map<string, ReturnType<typeof mails>>()

/** Returns the statements for a mailing to a dynamic segment, memoized per SQL text of the rules. */
function toDynamic({ name, where }: Condition) {
  const made =
    toThose.get(name) ??
    mails('segment', sql`SELECT ${users.id} AS "userId", NULL AS "variables" FROM ${users} WHERE ${where}`, {
      evenToNobody: true,
    })
  // Clients choose rules freely, hence the cache is bounded.
  if (toThose.size >= 256) toThose.clear()
  toThose.set(name, made)
  return made
}

/** Aborts with the current rules when the known rules are missing or outdated. */
const otherRules = guard<Values>(
  sql`(SELECT 'told:' || hex(${segments.rules}) FROM ${segments} WHERE ${segment.addressed})`,
  sql`EXISTS (SELECT 1 FROM ${segments} WHERE ${segment.addressed} AND ${segments.type} = 'dynamic'
    AND ${segments.rules} IS NOT ${param('@known')})`,
)

// Limit of retries when somebody changes the rules in between.
const MAX_TOLD = 3

/**
 * Mails the current members of a segment, within the limits per hour. A dynamic segment takes a second round trip,
 * because the first returns the rules.
 */
export async function mailSegment(
  db: Database,
  key: Segment,
  letter: NewMailing,
  most: PerHour,
  known?: { text: string; times: number },
): Promise<Accepted> {
  const rules = known && (JSON.parse(known.text) as Rules)
  const condition = rules && dynamicMembers(rules)
  const guards = [
    ...segment.writable(key),
    ...(rules ? [refusesTooMuchWork(rules)] : []),
    otherRules({ ...key, '@known': known?.text ?? null }),
    segmentTooOften({ ...key, perHour: most.segment }),
    within(most),
  ]
  const to = { ...letter, ...key }
  try {
    if (!rules || !condition) return await accept(db, letter, toSegment(to, key), { guards })
    const statements = [...toDynamic(condition)(to, { ...key, ...condition.values }), recount('present', rules, key)]
    return await accept(db, letter, statements, { guards })
  } catch (cause) {
    if (!(cause instanceof Told)) throw cause
    const times = (known?.times ?? 0) + 1
    if (times > MAX_TOLD) throw new ApiError('conflict', 'The rules of the segment keep changing. Send again.')
    return mailSegment(db, key, letter, most, { text: cause.message, times })
  }
}

const toMembers = (by: SQL) =>
  mails<{ members: string }>(
    'members',
    sql`SELECT DISTINCT ${users.id} AS "userId", NULL AS "variables" FROM json_each(${param('members')}) m
      CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription} AND ${by} = m.value`,
    { evenToNobody: true },
  )

const BY = {
  userIds: { to: toMembers(sql`${users.id}`), kind: 'user' },
  emails: { to: toMembers(sql`${users.email}`), kind: 'memberAddress' },
} as const

/** Mails members by ids or addresses; an unknown id or address refuses the mailing. */
export function mailMembers(
  db: Database,
  by: keyof typeof BY,
  members: readonly (string | number)[],
  letter: NewMailing,
  most: PerHour,
) {
  const { to, kind } = BY[by]
  const references = members.map((value, n): Reference => ({ kind, path: `/${by}/${n}`, value }))
  return accept(db, letter, to(letter, { members: JSON.stringify(members) }), {
    guards: [within(most)],
    references,
    estimatedRows: mailRows(members.length, letter),
  })
}

const toAddresses = mails<{ addresses: string }>(
  'test',
  sql`SELECT DISTINCT a.value AS "email", NULL AS "variables" FROM json_each(${param('addresses')}) a`,
  { evenToNobody: true, anyAddress: true },
)

export const mailTest = (db: Database, addresses: readonly string[], letter: NewMailing, most: PerHour) =>
  accept(db, letter, toAddresses(letter, { addresses: JSON.stringify(addresses) }), {
    guards: [within(most)],
    estimatedRows: mailRows(addresses.length, letter),
  })
