import { sql } from 'drizzle-orm'
import type { Store } from '../../db/client'
import { eventSql } from '../../db/events'
import { placeholder } from '../../db/field'
import { suppressions } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { caller, insertInto, param, statement } from '../../db/statement'
import type { Unsubscription } from '../../http/token'

type Suppression = { email: string; segmentId: number }

const isNew = sql`NOT EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${param('email')}
    AND ${suppressions.segmentId} = ${param('segmentId')})`

const member = sql`(SELECT ${users.id} FROM ${users}
  WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.email} = ${param('email')})`

// Whose address it is no longer is nobody in the log: 0.
const unsubscribed = statement<never, Suppression>(
  eventSql({
    type: 'member.unsubscribed',
    key: sql`coalesce(${member}, 0)`,
    person: member,
    data: sql`json_object('email', ${placeholder('email')}, 'segmentId', CAST(${param('segmentId')} AS INTEGER))`,
    from: sql`WHERE ${isNew}`,
  }),
)

const suppress = statement<never, Suppression>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      segmentId: param('segmentId'),
      reason: sql`'unsubscribe'`,
      createdAt: caller.now,
    },
    sql`WHERE ${isNew}`,
  ),
)

/** Stops the mail that an unsubscribe link names. Doing it again changes nothing. */
export async function unsubscribe(store: Store, { subscriptionId, email, segmentId }: Unsubscription): Promise<void> {
  const link = { email, segmentId }
  await store.batch(subscriptionId, unsubscribed(link), suppress(link))
}
