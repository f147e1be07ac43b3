import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
import { eventSql } from '../../../db/events'
import { personal, plain } from '../../../db/field'
import { emailRecipients, emails, segmentMembers, segments, suppressions } from '../../../db/schema/segments-and-mail'
import { users } from '../../../db/schema/tenancy'
import { caller, insertInto, param, statement } from '../../../db/statement'
import type { UnsubscribeLink } from '../../../http/token'

type Recipient = { emailId: number; position: number }

const own = (table: typeof emails | typeof users | typeof segments | typeof segmentMembers | typeof suppressions) =>
  sql`${table.subscriptionId} = ${caller.subscription}`

// Whoever was erased is not written down again.
const isKnown = sql`(${users.id} IS NOT NULL
  OR EXISTS (SELECT 1 FROM ${users} WHERE ${own(users)} AND ${users.id} = ${emailRecipients.userId}))`

/** The recipient that a link names, the mailing, and whoever has the address now. */
const followed = sql`FROM ${emailRecipients}
  CROSS JOIN ${emails} ON ${own(emails)} AND ${emails.id} = ${emailRecipients.emailId}
  LEFT JOIN ${users} ON ${own(users)} AND ${users.email} = ${emailRecipients.email}
  WHERE ${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${param('emailId')}
    AND ${emailRecipients.position} = ${param('position')} AND ${isKnown}`

/** Segment 0 is all mail. */
const stopped = sql`CASE WHEN ${param('all')} THEN 0 ELSE coalesce(${emails.segmentId}, 0) END`

const isNew = sql`NOT EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${own(suppressions)} AND ${suppressions.email} = ${emailRecipients.email} AND ${suppressions.segmentId} = ${stopped})`

const address = personal(plain(users.email), 'email')

const unsubscribed = statement<never, Recipient & { all: boolean }>(
  eventSql({
    type: 'member.unsubscribed',
    key: sql`CAST(coalesce(${users.id}, ${emailRecipients.userId}) AS TEXT)`,
    person: sql`${users.id}`,
    data: sql`json_object('email', json(CASE WHEN ${users.id} IS NULL THEN 'null' ELSE ${address.json()} END),
      'segmentId', ${stopped})`,
    from: sql`${followed} AND ${isNew}`,
  }),
)

const suppress = statement<never, Recipient & { all: boolean }>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: emailRecipients.email,
      segmentId: stopped,
      reason: sql`'unsubscribe'`,
      createdAt: caller.now,
    },
    sql`${followed} AND ${isNew}`,
  ),
)

/** As many other lists as a page names. */
export const MAX_NAMED = 10

// Segments are walked, which are few: memberships have no index by user. None is another one where the mailing has none.
const others = sql`(SELECT json_group_array(name) FROM (SELECT ${segments.name} AS name FROM ${segments}
  CROSS JOIN ${segmentMembers} ON ${own(segmentMembers)} AND ${segmentMembers.segmentId} = ${segments.id}
    AND ${segmentMembers.userId} = ${users.id}
  WHERE ${own(segments)} AND ${segments.deletedAt} IS NULL AND ${segments.id} <> ${emails.segmentId}
    AND NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${own(suppressions)}
      AND ${suppressions.email} = ${emailRecipients.email} AND ${suppressions.segmentId} IN (0, ${segments.id}))
  ORDER BY ${segments.name} LIMIT ${sql.raw(String(MAX_NAMED + 1))}))`

const standing = statement<{ email: string; others: string }, Recipient>(
  sql`SELECT ${emailRecipients.email} AS "email", ${others} AS "others" ${followed}`,
)

/** How a recipient stands with the workspace's mail. */
export interface Standing {
  email: string
  /** Names of other segments whose mail comes still; one more than a page names where there are more. */
  others: string[]
}

function standingOf([row]: readonly { email: string; others: string }[]): Standing | undefined {
  return row && { email: row.email, others: JSON.parse(row.others) as string[] }
}

/** Whom a link is for; undefined where the mailing, or the person, is not kept any more. */
export async function follow(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink) {
  const [rows] = await store.batch(subscriptionId, standing(recipient))
  return standingOf(rows)
}

/** Stops the mail of the link's segment, or all of the workspace's, and says how things stand then. Doing it again changes nothing. */
export async function unsubscribe(store: Store, { subscriptionId, ...recipient }: UnsubscribeLink, all: boolean) {
  const values = { ...recipient, all }
  const [, , rows] = await store.batch(subscriptionId, unsubscribed(values), suppress(values), standing(recipient))
  return standingOf(rows)
}
