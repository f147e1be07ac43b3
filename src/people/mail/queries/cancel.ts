import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { emailChunks, emailSlices, emails } from '../../../db/schema/segments-and-mail'
import { assignments, caller, inline, param, statement } from '../../../db/sql/statement'
import { type MailingKey, mailing } from '../fields'

const alreadyEnded = guard<MailingKey>(
  inline('conflict:The mailing has ended: there is nothing to cancel.'),
  sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailing.byKey}
    AND (${emails.status} = 'completed' OR ${emails.canceledAt} IS NOT NULL))`,
)

const markCanceled = statement<never, MailingKey>(
  sql`UPDATE ${emails} SET ${assignments(emails, {
    canceledAt: caller.now,
    completedAt: caller.now,
    updatedAt: caller.now,
  })} WHERE ${mailing.byKey}`,
)

const isOfMailing = (table: typeof emailChunks | typeof emailSlices) =>
  sql`${table.subscriptionId} = ${caller.subscription} AND ${table.emailId} = ${param('emailId')}`

// The next attempt settles a chunk that is in flight or has an unknown outcome.
const endChunks = statement<never, MailingKey>(
  sql`UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'done'`,
  })} WHERE ${isOfMailing(emailChunks)} AND ${emailChunks.status} IN ('pending', 'waiting') AND ${emailChunks.unsureSince} IS NULL`,
)

const deleteSlices = statement<never, MailingKey>(sql`DELETE FROM ${emailSlices} WHERE ${isOfMailing(emailSlices)}`)

const emitCanceled = mailing.emit('canceled', mailing.byKey)

export const cancelMailing = (db: Database, key: MailingKey) =>
  mailing.save(db, {
    guards: [...mailing.writeGuards(key), alreadyEnded(key)],
    statements: [markCanceled(key), endChunks(key), deleteSlices(key), emitCanceled(key)],
    returning: mailing.returningByKey(key),
  })
