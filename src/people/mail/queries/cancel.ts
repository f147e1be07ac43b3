import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { guard } from '../../../db/client/refuse'
import { emailChunks, emailSlices, emails } from '../../../db/schema/segments-and-mail'
import { assignments, caller, param, statement } from '../../../db/sql/statement'
import { type MailingKey, mailing } from '../fields'

const mailingAlreadyEnded = guard<MailingKey>(
  'conflict:The mailing has ended: there is nothing to cancel.',
  sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailing.byKey}
    AND (${emails.status} = 'completed' OR ${emails.canceledAt} IS NOT NULL))`,
)

// The person may sign in to another workspace, which has no part in the mail.
const mailingSignsIn = guard<MailingKey>(
  'conflict:A mail with a sign-in code cannot be canceled. The code ends after ten minutes.',
  sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailing.byKey} AND ${emails.kind} = 'sign_in')`,
)

const markMailingCanceled = statement<never, MailingKey>(
  sql`UPDATE ${emails} SET ${assignments(emails, {
    canceledAt: caller.now,
    completedAt: caller.now,
    updatedAt: caller.now,
  })} WHERE ${mailing.byKey}`,
)

const rowIsOfMailing = (table: typeof emailChunks | typeof emailSlices) =>
  sql`${table.subscriptionId} = ${caller.subscription} AND ${table.emailId} = ${param('emailId')}`

// The next attempt settles a chunk that is in flight or has an unknown outcome.
const endWaitingChunks = statement<never, MailingKey>(
  sql`UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'done'`,
  })} WHERE ${rowIsOfMailing(emailChunks)} AND ${emailChunks.status} IN ('pending', 'waiting') AND ${emailChunks.unsureSince} IS NULL`,
)

const deleteSlices = statement<never, MailingKey>(sql`DELETE FROM ${emailSlices} WHERE ${rowIsOfMailing(emailSlices)}`)

const emitCanceled = mailing.emit('canceled', mailing.byKey)

export const cancelMailing = (db: Database, key: MailingKey) =>
  mailing.save(db, {
    guards: [...mailing.writeGuards(key), mailingSignsIn(key), mailingAlreadyEnded(key)],
    statements: [markMailingCanceled(key), endWaitingChunks(key), deleteSlices(key), emitCanceled(key)],
    returning: mailing.returningByKey(key),
  })
