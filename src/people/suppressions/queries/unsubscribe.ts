import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { personal, plain } from '../../../db/field'
import { emailRecipients, emails, segmentMembers, segments, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, inline, insertInto, param, type Statement, statement, textsBy } from '../../../db/statement'
import type { UnsubscribeLink } from '../../../http/token'
import type { Rules } from '../../segments/rules/schema'
import { dynamicMembers } from '../../segments/statements'

type Recipient = { emailId: number; position: number }

const own = (table: typeof emails | typeof users | typeof segments | typeof segmentMembers | typeof suppressions) =>
  sql`${table.subscriptionId} = ${caller.subscription}`

const isPerson = sql`${own(users)} AND ${users.id} = ${emailRecipients.userId}`

/** The address of the message; old mailings keep no address and use the member's current address. */
const address = sql`coalesce(nullif(${emailRecipients.email}, ''), (SELECT ${users.email} FROM ${users} WHERE ${isPerson}))`

const isTest = sql`(${emails.kind} = 'test')`

// Erased addresses must not be stored again. Tests suppress nothing, and may go to addresses of nobody in the
// workspace.
const isKnown = sql`(${isTest} OR ${users.id} IS NOT NULL
  OR EXISTS (SELECT 1 FROM ${users} WHERE ${isPerson}))`

/** The recipient of a link, the mailing, and the user who has the address now. */
const followed = sql`FROM ${emailRecipients}
  CROSS JOIN ${emails} ON ${own(emails)} AND ${emails.id} = ${emailRecipients.emailId}
  LEFT JOIN ${users} ON ${own(users)} AND ${users.email} = ${address}
  WHERE ${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${param('emailId')}
    AND ${emailRecipients.position} = ${param('position')} AND ${isKnown} AND ${address} IS NOT NULL`

/** Segment 0 stands for all mail of the workspace. */
const stopped = sql`CASE WHEN ${param('all')} THEN 0 ELSE coalesce(${emails.segmentId}, 0) END`

/** The address of the member now, which may differ from the address of the message. */
const currentAddress = sql`(SELECT ${users.email} FROM ${users} WHERE ${isPerson})`

const isUnsuppressed = (email: SQL) => sql`(NOT ${isTest} AND NOT EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${own(suppressions)} AND ${suppressions.email} = ${email} AND ${suppressions.segmentId} = ${stopped}))`

const hasMoved = sql`(${currentAddress} <> ${address})`
const isNew = sql`(${isUnsuppressed(address)} OR ${hasMoved} AND ${isUnsuppressed(currentAddress)})`

const told = personal(plain(users.email), 'email')

const unsubscribed = statement<never, Recipient & { all: boolean }>(
  eventSql({
    type: 'member.unsubscribed',
    key: sql`CAST(coalesce(${users.id}, ${emailRecipients.userId}) AS TEXT)`,
    person: sql`${users.id}`,
    data: sql`json_object('email', json(CASE WHEN ${users.id} IS NULL THEN 'null' ELSE ${told.json()} END),
      'segmentId', ${stopped})`,
    from: sql`${followed} AND ${isNew}`,
  }),
)

const suppressing = (email: SQL, where: SQL) =>
  statement<never, Recipient & { all: boolean }>(
    insertInto(
      suppressions,
      {
        subscriptionId: caller.subscription,
        email,
        segmentId: stopped,
        reason: sql`'unsubscribe'`,
        createdAt: caller.now,
      },
      sql`${followed} AND ${isUnsuppressed(email)} AND ${where}`,
    ),
  )

const suppress = suppressing(address, sql`true`)
const suppressCurrent = suppressing(currentAddress, hasMoved)

export const MAX_NAMED = 10
const end = inline(MAX_NAMED + 1)

const isOther = sql`${own(segments)} AND ${segments.deletedAt} IS NULL AND ${segments.id} <> ${emails.segmentId}
  AND NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${own(suppressions)}
    AND ${suppressions.email} = ${address} AND ${suppressions.segmentId} IN (0, ${segments.id}))`

// Reads the few segments of a workspace, because memberships have no index by user. Empty for a mailing without a
// segment.
const others = sql`(SELECT json_group_array(name) FROM (SELECT ${segments.name} AS name FROM ${segments}
  CROSS JOIN ${segmentMembers} ON ${own(segmentMembers)} AND ${segmentMembers.segmentId} = ${segments.id}
    AND ${segmentMembers.userId} = ${users.id}
  WHERE ${isOther} ORDER BY ${segments.name} LIMIT ${end}))`

// Limit of dynamic segments, because each takes a statement to evaluate the rules.
const MAX_DYNAMIC = inline(50)

const dynamic = sql`(SELECT json_group_array(json_array(name, json(rules))) FROM (
  SELECT ${segments.name} AS name, ${segments.rules} AS rules FROM ${segments}
  WHERE ${isOther} AND ${segments.type} = 'dynamic' ORDER BY ${segments.name} LIMIT ${MAX_DYNAMIC}))`

interface Row {
  email: string
  userId: number | null
  segmentId: number | null
  isTest: 0 | 1
  stoppedFor: number | null
  others: string
  dynamic: string
}

const stoppedFor = sql`(SELECT min(${suppressions.segmentId}) FROM ${suppressions} WHERE ${own(suppressions)}
  AND ${suppressions.email} = ${address} AND ${suppressions.segmentId} IN (0, coalesce(${emails.segmentId}, 0)))`

const standing = statement<Row, Recipient>(
  sql`SELECT ${address} AS "email", ${users.id} AS "userId", ${emails.segmentId} AS "segmentId", ${isTest} AS "isTest",
    ${stoppedFor} AS "stoppedFor", ${others} AS "others", ${dynamic} AS "dynamic" ${followed}`,
)

const meansPerson = textsBy(
  (members: SQL) =>
    sql`SELECT ${param('@name')} AS "name" FROM ${users} WHERE ${users.id} = ${param('@person')} AND ${members}`,
)

export interface Standing {
  email: string
  /** Whether the mailing went to a segment; otherwise unsubscribing suppresses all mail. */
  ofSegment: boolean
  isTest: boolean
  stopped: 'all' | 'segment' | undefined
  /** Names of further segments with mail, up to MAX_NAMED + 1. */
  others: string[]
}

/** Evaluates dynamic segments in a second round trip, because the first reads the rules. */
async function standingOf(store: Store, subscriptionId: number, rows: readonly Row[]): Promise<Standing | undefined> {
  const [row] = rows
  if (!row) return undefined
  const { email, userId, segmentId, isTest, stoppedFor } = row
  const stopped = stoppedFor === null ? undefined : stoppedFor === 0 ? 'all' : 'segment'
  const known = { email, ofSegment: segmentId !== null, isTest: isTest === 1, stopped } as const
  const manual = JSON.parse(row.others) as string[]
  const asked = (JSON.parse(row.dynamic) as [string, Rules][]).map(([name, rules]): Statement<{ name: string }> => {
    const condition = dynamicMembers(rules)
    const values = { ...condition.values, '@name': name, '@person': userId }
    return { template: meansPerson(condition.name, condition.where), values }
  })
  if (!asked.length || userId === null) return { ...known, others: manual }
  const found = (await store.batch(subscriptionId, ...asked)).flat().map(({ name }) => name)
  return { ...known, others: [...manual, ...found].sort().slice(0, MAX_NAMED + 1) }
}

/** Returns undefined if the mailing or the person is no longer stored. */
export async function follow(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink) {
  const [rows] = await store.batch(subscriptionId, standing(recipient))
  return standingOf(store, subscriptionId, rows)
}

/** Suppresses mail of the link's segment or of the workspace, and returns the resulting state. Idempotent. */
export async function unsubscribe(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink, all: boolean) {
  const values = { ...recipient, all }
  const [, , , rows] = await store.batch(
    subscriptionId,
    unsubscribed(values),
    suppress(values),
    suppressCurrent(values),
    standing(recipient),
  )
  return standingOf(store, subscriptionId, rows)
}
