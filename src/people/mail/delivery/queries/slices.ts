import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emailSlices, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, columns, inline, insertInto, param, statement } from '../../../../db/sql/statement'
import { SLICE_SIZE } from '../../slices'
import { type ChunkKey, elementValue, isThisMailing } from './chunk'
import { ENQUEUE_GRACE, type WaitingRows } from './waiting'

export interface SliceKey {
  subscriptionId: number
  emailId: number
  slice: number
}

const REENQUEUE_AFTER = 120_000

type SliceValues = { emailId: number; slice: number }

const KEY_COLUMNS = ['subscriptionId', 'emailId', 'slice'] as const

const isSliceOfMailing = sql`${emailSlices.subscriptionId} = ${caller.subscription} AND ${emailSlices.emailId} = ${param('emailId')}`
const isThisSlice = sql`${isSliceOfMailing} AND ${emailSlices.slice} = ${param('slice')}`

// Slices store no addresses: the address is read when the message is sent.
const insertRecipients = statement<never, SliceValues>(
  insertInto(
    emailRecipients,
    {
      subscriptionId: caller.subscription,
      emailId: emailSlices.emailId,
      position: sql`${emailSlices.slice} * ${inline(SLICE_SIZE)} + r.key`,
      userId: sql`r.value ->> 0`,
      email: sql`''`,
      variables: sql`r.value ->> 1`,
      status: sql`'queued'`,
      updatedAt: caller.now,
    },
    sql`FROM ${emailSlices} CROSS JOIN json_each(${emailSlices.recipients}) r WHERE ${isThisSlice}`,
  ),
)

const chunkSize = sql`(SELECT ${emails.chunkSize} FROM ${emails} WHERE ${isThisMailing})`

const scheduledAt = sql`(SELECT ${emails.scheduledAt} FROM ${emails} WHERE ${isThisMailing})`

const insertChunks = statement<never, SliceValues>(
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailSlices.emailId,
      chunk: sql`(${emailSlices.slice} * ${inline(SLICE_SIZE)} + r.key) / ${chunkSize}`,
      nextAttemptAt: sql`coalesce(${scheduledAt}, ${caller.now} + ${inline(ENQUEUE_GRACE)})`,
    },
    sql`FROM ${emailSlices} CROSS JOIN json_each(${emailSlices.recipients}) r
      WHERE ${isThisSlice} AND (${emailSlices.slice} * ${inline(SLICE_SIZE)} + r.key) % ${chunkSize} = 0`,
  ),
)

const selectChunks = statement<ChunkKey, SliceValues>(sql`
  SELECT ${columns(emailChunks, ['subscriptionId', 'emailId', 'chunk'])} FROM ${emailChunks}
  WHERE ${emailChunks.subscriptionId} = ${caller.subscription} AND ${emailChunks.emailId} = ${param('emailId')}
    AND ${emailChunks.chunk} >= ${param('slice')} * ${inline(SLICE_SIZE)} / ${chunkSize}
    AND ${emailChunks.chunk} < (${param('slice')} + 1) * ${inline(SLICE_SIZE)} / ${chunkSize}
    AND coalesce(${scheduledAt} <= ${caller.now}, true) AND EXISTS (SELECT 1 FROM ${emailSlices} WHERE ${isThisSlice})`)

const deleteSlice = statement<never, SliceValues>(sql`DELETE FROM ${emailSlices} WHERE ${isThisSlice}`)

export async function expandSlice(store: Store, { subscriptionId, ...slice }: SliceKey): Promise<ChunkKey[]> {
  const [, , chunks] = await store.batch(
    subscriptionId,
    insertRecipients(slice),
    insertChunks(slice),
    selectChunks(slice),
    deleteSlice(slice),
  )
  return chunks
}

// Five calls to the queue.
const MAX_ENQUEUED = 500

export const waitingSlices: WaitingRows<SliceKey> = {
  toMessage: ({ subscriptionId, emailId, slice }) => ({ kind: 'mail.slice', subscriptionId, emailId, slice }),
  selectNew: statement(sql`
    SELECT ${columns(emailSlices, KEY_COLUMNS)} FROM ${emailSlices} WHERE ${isSliceOfMailing} ORDER BY ${emailSlices.slice}`),
  selectDue: statement(sql`
    SELECT ${columns(emailSlices, KEY_COLUMNS)} FROM ${emailSlices} WHERE ${emailSlices.nextAttemptAt} <= ${caller.now}
    ORDER BY ${emailSlices.nextAttemptAt} LIMIT ${inline(MAX_ENQUEUED)}`),
  markEnqueued: statement(sql`
    UPDATE ${emailSlices} SET ${assignments(emailSlices, { nextAttemptAt: sql`${caller.now} + ${inline(REENQUEUE_AFTER)}` })}
    FROM json_each(${param('names')}) o
    WHERE ${emailSlices.subscriptionId} = ${elementValue('subscriptionId')} AND ${emailSlices.emailId} = ${elementValue('emailId')}
      AND ${emailSlices.slice} = ${elementValue('slice')}`),
}
