import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client'
import { emailChunks, emailRecipients, emailSlices, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, columns, inline, insertInto, param, statement } from '../../../../db/statement'
import { SLICE } from '../../slices'
import { type ChunkName, given, thisMailing } from './chunk'
import { GRACE, type Waiting } from './wake'

export interface SliceName {
  subscriptionId: number
  emailId: number
  slice: number
}

// Milliseconds until an enqueued slice that still exists is enqueued again.
const PATIENCE = 120_000

type Slice = { emailId: number; slice: number }

const NAME = ['subscriptionId', 'emailId', 'slice'] as const

const ofThisMailing = sql`${emailSlices.subscriptionId} = ${caller.subscription} AND ${emailSlices.emailId} = ${param('emailId')}`
const thisSlice = sql`${ofThisMailing} AND ${emailSlices.slice} = ${param('slice')}`

// Recipients of slices store no address: the address is read when the message is sent, and removed members are left
// out.
const insertRecipients = statement<never, Slice>(
  insertInto(
    emailRecipients,
    {
      subscriptionId: caller.subscription,
      emailId: emailSlices.emailId,
      position: sql`${emailSlices.slice} * ${inline(SLICE)} + r.key`,
      userId: sql`r.value ->> 0`,
      email: sql`''`,
      variables: sql`r.value ->> 1`,
      status: sql`'queued'`,
      updatedAt: caller.now,
    },
    sql`FROM ${emailSlices} CROSS JOIN json_each(${emailSlices.recipients}) r WHERE ${thisSlice}`,
  ),
)

const chunkSize = sql`(SELECT ${emails.chunkSize} FROM ${emails} WHERE ${thisMailing})`

const scheduledAt = sql`(SELECT ${emails.scheduledAt} FROM ${emails} WHERE ${thisMailing})`

const insertChunks = statement<never, Slice>(
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailSlices.emailId,
      chunk: sql`(${emailSlices.slice} * ${inline(SLICE)} + r.key) / ${chunkSize}`,
      nextAttemptAt: sql`coalesce(${scheduledAt}, ${caller.now} + ${inline(GRACE)})`,
    },
    sql`FROM ${emailSlices} CROSS JOIN json_each(${emailSlices.recipients}) r
      WHERE ${thisSlice} AND (${emailSlices.slice} * ${inline(SLICE)} + r.key) % ${chunkSize} = 0`,
  ),
)

const selectChunks = statement<ChunkName, Slice>(sql`
  SELECT ${columns(emailChunks, ['subscriptionId', 'emailId', 'chunk'])} FROM ${emailChunks}
  WHERE ${emailChunks.subscriptionId} = ${caller.subscription} AND ${emailChunks.emailId} = ${param('emailId')}
    AND ${emailChunks.chunk} >= ${param('slice')} * ${inline(SLICE)} / ${chunkSize}
    AND ${emailChunks.chunk} < (${param('slice')} + 1) * ${inline(SLICE)} / ${chunkSize}
    AND coalesce(${scheduledAt} <= ${caller.now}, true) AND EXISTS (SELECT 1 FROM ${emailSlices} WHERE ${thisSlice})`)

const forget = statement<never, Slice>(sql`DELETE FROM ${emailSlices} WHERE ${thisSlice}`)

/** Inserts the recipients of a slice once, and returns the chunks to enqueue, except chunks of a scheduled mailing. */
export async function freezeSlice(store: Store, { subscriptionId, ...slice }: SliceName): Promise<ChunkName[]> {
  const [, , chunks] = await store.batch(
    subscriptionId,
    insertRecipients(slice),
    insertChunks(slice),
    selectChunks(slice),
    forget(slice),
  )
  return chunks
}

// Limit of a cron run: five calls to the queue.
const MAX_WOKEN = 500

export const waitingSlices: Waiting<SliceName> = {
  message: ({ subscriptionId, emailId, slice }) => ({ kind: 'mail.slice', subscriptionId, emailId, slice }),
  ofMailing: statement(sql`
    SELECT ${columns(emailSlices, NAME)} FROM ${emailSlices} WHERE ${ofThisMailing} ORDER BY ${emailSlices.slice}`),
  due: statement(sql`
    SELECT ${columns(emailSlices, NAME)} FROM ${emailSlices} WHERE ${emailSlices.nextAttemptAt} <= ${caller.now}
    ORDER BY ${emailSlices.nextAttemptAt} LIMIT ${inline(MAX_WOKEN)}`),
  mark: statement(sql`
    UPDATE ${emailSlices} SET ${assignments(emailSlices, { nextAttemptAt: sql`${caller.now} + ${inline(PATIENCE)}` })}
    FROM json_each(${param('names')}) o
    WHERE ${emailSlices.subscriptionId} = ${given('subscriptionId')} AND ${emailSlices.emailId} = ${given('emailId')}
      AND ${emailSlices.slice} = ${given('slice')}`),
}
