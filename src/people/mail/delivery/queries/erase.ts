import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, statement } from '../../../../db/statement'
import { constant } from './chunk'

/**
 * Milliseconds for which a mailing that has ended keeps the addresses that it went to. Whoever is removed gets no mail that
 * is accepted later, and what was accepted before ends within four days: when a person is purged, thirty days after
 * the removal, no mailing has the address any more.
 */
const KEPT = 26 * 86_400_000

// A minute's share.
const MAILINGS_PER_RUN = 100
const ROWS_PER_RUN = 10_000

const old = sql`SELECT ${emails.id} AS id, ${emails.subscriptionId} AS subscription_id FROM ${emails}
  WHERE ${emails.completedAt} <= ${caller.now} - ${constant(KEPT)} AND ${emails.erasedAt} IS NULL
  ORDER BY ${emails.completedAt} LIMIT ${constant(MAILINGS_PER_RUN)}`

const says = sql`(${emailRecipients.email} <> '' OR ${emailRecipients.variables} IS NOT NULL)`
const ofOld = sql`${emailRecipients.subscriptionId} = old.subscription_id AND ${emailRecipients.emailId} = old.id`

const erase = statement<never>(sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
  email: sql`''`,
  variables: sql`NULL`,
})} WHERE (subscription_id, email_id, position) IN (
  SELECT ${emailRecipients.subscriptionId}, ${emailRecipients.emailId}, ${emailRecipients.position}
  FROM (${old}) old CROSS JOIN ${emailRecipients} ON ${ofOld} WHERE ${says} LIMIT ${constant(ROWS_PER_RUN)})`)

const mark = statement<never>(sql`UPDATE ${emails} SET ${assignments(emails, { erasedAt: caller.now })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${old}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${ofOld} AND ${says}))`)

/** A bounded share of what is to be erased: one transaction. */
export async function eraseAddresses(store: Store): Promise<void> {
  await store.batch(null, erase({}), mark({}))
}
