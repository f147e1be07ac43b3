import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client'
import { guard } from '../../../db/refuse'
import { emailChunks, emailSlices, emails } from '../../../db/schema/segments-and-mail'
import { assignments, caller, inline, param, statement } from '../../../db/statement'
import { type MailingKey, mailing } from '../fields'

const ended = guard<MailingKey>(
  inline('conflict:The mailing has ended: there is nothing to cancel.'),
  sql`EXISTS (SELECT 1 FROM ${emails} WHERE ${mailing.addressed}
    AND (${emails.status} = 'completed' OR ${emails.canceledAt} IS NOT NULL))`,
)

const cancel = statement<never, MailingKey>(
  sql`UPDATE ${emails} SET ${assignments(emails, {
    canceledAt: caller.now,
    completedAt: caller.now,
    updatedAt: caller.now,
  })} WHERE ${mailing.addressed}`,
)

const own = (table: typeof emailChunks | typeof emailSlices) =>
  sql`${table.subscriptionId} = ${caller.subscription} AND ${table.emailId} = ${param('emailId')}`

// The next attempt settles a chunk that is in flight or has an unknown outcome.
const endChunks = statement<never, MailingKey>(
  sql`UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'done'`,
  })} WHERE ${own(emailChunks)} AND ${emailChunks.status} IN ('pending', 'waiting') AND ${emailChunks.unsureSince} IS NULL`,
)

const forgetSlices = statement<never, MailingKey>(sql`DELETE FROM ${emailSlices} WHERE ${own(emailSlices)}`)

const canceled = mailing.event('canceled', mailing.addressed)

export const cancelMailing = (db: Database, key: MailingKey) =>
  mailing.save(db, {
    guards: [...mailing.writable(key), ended(key)],
    statements: [cancel(key), endChunks(key), forgetSlices(key), canceled(key)],
    answer: mailing.reply(key),
  })
