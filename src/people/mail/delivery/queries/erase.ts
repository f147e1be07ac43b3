import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { identity } from '../../../../db/forget'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, inline, param, statement } from '../../../../db/statement'

/**
 * Milliseconds that a completed mailing keeps addresses. Removed members get no new mail, and accepted mailings end
 * within four days: when a member is purged, thirty days after removal, no mailing holds the address.
 */
const KEPT = 26 * 86_400_000

// Limits of a cron run, which repeats every minute.
const MAILINGS_PER_RUN = 100
const ROWS_PER_RUN = 10_000

const endedBefore = (
  kept: SQLWrapper,
  only: SQL,
) => sql`SELECT ${emails.id} AS id, ${emails.subscriptionId} AS subscription_id
  FROM ${emails} WHERE ${emails.completedAt} <= ${caller.now} - ${kept} AND ${only}
  ORDER BY ${emails.completedAt} LIMIT ${inline(MAILINGS_PER_RUN)}`

const old = endedBefore(inline(KEPT), sql`${emails.erasedAt} IS NULL`)

const says = sql`(${emailRecipients.email} <> '' OR ${emailRecipients.variables} IS NOT NULL)`
const ofOld = (table: typeof emailRecipients | typeof emailChunks) =>
  sql`${table.subscriptionId} = old.subscription_id AND ${table.emailId} = old.id`

const erase = statement<never>(sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
  email: sql`''`,
  variables: sql`NULL`,
})} WHERE (${identity(emailRecipients)}) IN (SELECT ${identity(emailRecipients)}
  FROM (${old}) old CROSS JOIN ${emailRecipients} ON ${ofOld(emailRecipients)} WHERE ${says} LIMIT ${inline(ROWS_PER_RUN)})`)

const mark =
  statement<never>(sql`UPDATE ${emails} SET ${assignments(emails, { erasedAt: caller.now, variables: sql`NULL` })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${old}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${ofOld(emailRecipients)} AND ${says}))`)

/** Erases addresses from a bounded number of old mailings, in a single transaction. */
export async function eraseAddresses(store: Store): Promise<void> {
  await store.batch(null, erase({}), mark({}))
}

type Kept = { kept: number }
const older = endedBefore(param('kept'), sql`${emails.erasedAt} IS NOT NULL AND ${emails.forgottenAt} IS NULL`)

const forgets = (table: typeof emailRecipients | typeof emailChunks) =>
  statement<never, Kept>(sql`DELETE FROM ${table} WHERE (${identity(table)}) IN (SELECT ${identity(table)}
    FROM (${older}) old CROSS JOIN ${table} ON ${ofOld(table)} LIMIT ${inline(ROWS_PER_RUN)})`)
const [chunks, recipients] = [forgets(emailChunks), forgets(emailRecipients)]

const settle = statement<never, Kept>(sql`UPDATE ${emails} SET ${assignments(emails, { forgottenAt: caller.now })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${older}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${ofOld(emailRecipients)}))`)

/**
 * Deletes a bounded number of recipients of mailings that ended more than `kept` milliseconds ago, in a single
 * transaction.
 */
export async function forgetRecipients(store: Store, kept: number): Promise<void> {
  await store.batch(null, chunks({ kept }), recipients({ kept }), settle({ kept }))
}
