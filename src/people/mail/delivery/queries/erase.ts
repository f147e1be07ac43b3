import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emails } from '../../../../db/schema/segments-and-mail'
import { isInThisHome } from '../../../../db/sql/fence'
import { primaryKeyColumns } from '../../../../db/sql/retention'
import { assignments, caller, inline, param, statement } from '../../../../db/sql/statement'

/**
 * When a member is purged, thirty days after removal, no mailing holds the address: removed members get no new mail,
 * and accepted mailings end within four days.
 */
const ADDRESS_TTL_MS = 26 * 86_400_000

const MAX_MAILINGS_PER_CRON_RUN = 100
const MAX_ROWS_PER_CRON_RUN = 10_000

const selectEndedMailings = (
  ttl: SQLWrapper,
  condition: SQL,
) => sql`SELECT ${emails.id} AS id, ${emails.subscriptionId} AS subscription_id
  FROM ${emails} WHERE ${emails.completedAt} <= ${caller.now} - ${ttl} AND ${condition}
    AND ${isInThisHome(emails.subscriptionId)}
  ORDER BY ${emails.completedAt} LIMIT ${inline(MAX_MAILINGS_PER_CRON_RUN)}`

const selectMailingsToErase = selectEndedMailings(inline(ADDRESS_TTL_MS), sql`${emails.erasedAt} IS NULL`)

const recipientHasPersonalData = sql`(${emailRecipients.email} <> '' OR ${emailRecipients.variables} IS NOT NULL)`
const rowIsOfOldMailing = (table: typeof emailRecipients | typeof emailChunks) =>
  sql`${table.subscriptionId} = old.subscription_id AND ${table.emailId} = old.id`

const eraseRecipientData = statement<never>(sql`UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
  email: sql`''`,
  variables: sql`NULL`,
})} WHERE (${primaryKeyColumns(emailRecipients)}) IN (SELECT ${primaryKeyColumns(emailRecipients)}
  FROM (${selectMailingsToErase}) old CROSS JOIN ${emailRecipients} ON ${rowIsOfOldMailing(emailRecipients)} WHERE ${recipientHasPersonalData} LIMIT ${inline(MAX_ROWS_PER_CRON_RUN)})`)

const markMailingsErased =
  statement<never>(sql`UPDATE ${emails} SET ${assignments(emails, { erasedAt: caller.now, variables: sql`NULL` })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${selectMailingsToErase}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${rowIsOfOldMailing(emailRecipients)} AND ${recipientHasPersonalData}))`)

export async function eraseOldAddresses(store: Store): Promise<void> {
  await store.batch(null, eraseRecipientData({}), markMailingsErased({}))
}

type RetentionValues = { kept: number }
const selectMailingsToForget = selectEndedMailings(
  param('kept'),
  sql`${emails.erasedAt} IS NOT NULL AND ${emails.forgottenAt} IS NULL`,
)

const createExpiredRowDeletion = (table: typeof emailRecipients | typeof emailChunks) =>
  statement<
    never,
    RetentionValues
  >(sql`DELETE FROM ${table} WHERE (${primaryKeyColumns(table)}) IN (SELECT ${primaryKeyColumns(table)}
    FROM (${selectMailingsToForget}) old CROSS JOIN ${table} ON ${rowIsOfOldMailing(table)} LIMIT ${inline(MAX_ROWS_PER_CRON_RUN)})`)
const [deleteExpiredChunkRows, deleteExpiredRecipientRows] = [
  createExpiredRowDeletion(emailChunks),
  createExpiredRowDeletion(emailRecipients),
]

const markMailingsForgotten = statement<
  never,
  RetentionValues
>(sql`UPDATE ${emails} SET ${assignments(emails, { forgottenAt: caller.now })}
  WHERE ${emails.id} IN (SELECT old.id FROM (${selectMailingsToForget}) old
    WHERE NOT EXISTS (SELECT 1 FROM ${emailRecipients} WHERE ${rowIsOfOldMailing(emailRecipients)}))`)

export async function deleteExpiredRecipients(store: Store, kept: number): Promise<void> {
  await store.batch(
    null,
    deleteExpiredChunkRows({ kept }),
    deleteExpiredRecipientRows({ kept }),
    markMailingsForgotten({ kept }),
  )
}
