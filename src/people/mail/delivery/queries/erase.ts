import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { primaryKeyColumns } from '../../../../db/sql/retention'
import { assignments, caller, inline, param, statement } from '../../../../db/sql/statement'

/**
 * When a member is purged, thirty days after removal, no mailing holds the address: removed members get no new mail,
 * and accepted mailings end within four days.
 */
const ADDRESS_TTL = 26 * 86_400_000

const MAILINGS_PER_RUN = 100
const ROWS_PER_RUN = 10_000

const selectEnded = (
  ttl: SQLWrapper,
  condition: SQL,
) => sql`SELECT ${emails.id} AS id, ${emails.subscriptionId} AS subscription_id
  FROM ${emails} WHERE ${emails.completedAt} <= ${caller.now} - ${ttl} AND ${condition}
  ORDER BY ${emails.completedAt} LIMIT ${inline(MAILINGS_PER_RUN)}`

const mailingsToErase = selectEnded(inline(ADDRESS_TTL), sql`${emails.erasedAt} IS NULL`)

const hasPersonalData = sql`(${emailRecipients.email} <> '' OR ${emailRecipients.variables} IS NOT NULL)`
const isOfOldMailing = (table: typeof emailRecipients | typeof emailChunks) =>
  sql`${table.subscriptionId} = old.subscription_id AND ${table.emailId} = old.id`

const eraseRecipients = statement<never>(sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
  email: sql`''`,
  variables: sql`NULL`,
})} WHERE (${primaryKeyColumns(emailRecipients)}) IN (SELECT ${primaryKeyColumns(emailRecipients)}
  FROM (${mailingsToErase}) old CROSS JOIN ${emailRecipients} ON ${isOfOldMailing(emailRecipients)} WHERE ${hasPersonalData} LIMIT ${inline(ROWS_PER_RUN)})`)

const markErased =
  statement<never>(sql`UPDATE ${emails} SET ${assignments(emails, { erasedAt: caller.now, variables: sql`NULL` })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${mailingsToErase}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${isOfOldMailing(emailRecipients)} AND ${hasPersonalData}))`)

export async function eraseAddresses(store: Store): Promise<void> {
  await store.batch(null, eraseRecipients({}), markErased({}))
}

type RetentionValues = { kept: number }
const mailingsToForget = selectEnded(
  param('kept'),
  sql`${emails.erasedAt} IS NOT NULL AND ${emails.forgottenAt} IS NULL`,
)

const deleteExpired = (table: typeof emailRecipients | typeof emailChunks) =>
  statement<
    never,
    RetentionValues
  >(sql`DELETE FROM ${table} WHERE (${primaryKeyColumns(table)}) IN (SELECT ${primaryKeyColumns(table)}
    FROM (${mailingsToForget}) old CROSS JOIN ${table} ON ${isOfOldMailing(table)} LIMIT ${inline(ROWS_PER_RUN)})`)
const [deleteChunks, deleteRecipients] = [deleteExpired(emailChunks), deleteExpired(emailRecipients)]

const markForgotten = statement<
  never,
  RetentionValues
>(sql`UPDATE ${emails} SET ${assignments(emails, { forgottenAt: caller.now })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${mailingsToForget}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${isOfOldMailing(emailRecipients)}))`)

export async function deleteExpiredRecipients(store: Store, kept: number): Promise<void> {
  await store.batch(null, deleteChunks({ kept }), deleteRecipients({ kept }), markForgotten({ kept }))
}
