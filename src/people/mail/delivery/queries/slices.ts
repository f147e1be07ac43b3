import { sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { emailChunks, emailRecipients, emailSlices, emails } from '../../../../db/schema/segments-and-mail'
import { assignments, caller, columnList, inline, insertInto, param, statement } from '../../../../db/sql/statement'
import { selectDueInTurn } from '../../../../db/sql/turns'
import { RECIPIENTS_PER_SLICE } from '../../slices'
import { type ChunkKey, chunkSizeOfMailing, jsonElementValue, mailingMatchesParams } from './chunk'
import { ENQUEUE_GRACE_MS, selectUnfinishedMailings, type WaitingRowSource } from './waiting'

export interface SliceKey {
  subscriptionId: number
  emailId: number
  slice: number
}

const SLICE_REENQUEUE_DELAY_MS = 120_000

type SliceValues = { emailId: number; slice: number }

const SLICE_KEY_COLUMNS = ['subscriptionId', 'emailId', 'slice'] as const

const sliceIsOfMailing = sql`${emailSlices.subscriptionId} = ${caller.subscription} AND ${emailSlices.emailId} = ${param('emailId')}`
const sliceMatchesParams = sql`${sliceIsOfMailing} AND ${emailSlices.slice} = ${param('slice')}`

// Slices store no addresses: the address is read when the message is sent.
const insertSliceRecipients = statement<never, SliceValues>(
  insertInto(
    emailRecipients,
    {
      subscriptionId: caller.subscription,
      emailId: emailSlices.emailId,
      position: sql`${emailSlices.slice} * ${inline(RECIPIENTS_PER_SLICE)} + r.key`,
      userId: sql`r.value ->> 0`,
      email: sql`''`,
      variables: sql`r.value ->> 1`,
      status: sql`'queued'`,
      updatedAt: caller.now,
    },
    sql`FROM ${emailSlices} CROSS JOIN json_each(${emailSlices.recipients}) r WHERE ${sliceMatchesParams}`,
  ),
)

const mailingScheduledAt = sql`(SELECT ${emails.scheduledAt} FROM ${emails} WHERE ${mailingMatchesParams})`

const insertSliceChunks = statement<never, SliceValues>(
  insertInto(
    emailChunks,
    {
      subscriptionId: caller.subscription,
      emailId: emailSlices.emailId,
      chunk: sql`(${emailSlices.slice} * ${inline(RECIPIENTS_PER_SLICE)} + r.key) / ${chunkSizeOfMailing}`,
      nextAttemptAt: sql`coalesce(${mailingScheduledAt}, ${caller.now} + ${inline(ENQUEUE_GRACE_MS)})`,
    },
    sql`FROM ${emailSlices} CROSS JOIN json_each(${emailSlices.recipients}) r
      WHERE ${sliceMatchesParams} AND (${emailSlices.slice} * ${inline(RECIPIENTS_PER_SLICE)} + r.key) % ${chunkSizeOfMailing} = 0`,
  ),
)

const selectSliceChunks = statement<ChunkKey, SliceValues>(sql`
  SELECT ${columnList(emailChunks, ['subscriptionId', 'emailId', 'chunk'])} FROM ${emailChunks}
  WHERE ${emailChunks.subscriptionId} = ${caller.subscription} AND ${emailChunks.emailId} = ${param('emailId')}
    AND ${emailChunks.chunk} >= ${param('slice')} * ${inline(RECIPIENTS_PER_SLICE)} / ${chunkSizeOfMailing}
    AND ${emailChunks.chunk} < (${param('slice')} + 1) * ${inline(RECIPIENTS_PER_SLICE)} / ${chunkSizeOfMailing}
    AND coalesce(${mailingScheduledAt} <= ${caller.now}, true) AND EXISTS (SELECT 1 FROM ${emailSlices} WHERE ${sliceMatchesParams})`)

const deleteSlice = statement<never, SliceValues>(sql`DELETE FROM ${emailSlices} WHERE ${sliceMatchesParams}`)

export async function expandSlice(store: Store, { subscriptionId, ...slice }: SliceKey) {
  const [, , chunks, , mailings] = await store.batch(
    subscriptionId,
    insertSliceRecipients(slice),
    insertSliceChunks(slice),
    selectSliceChunks(slice),
    deleteSlice(slice),
    selectUnfinishedMailings({}),
  )
  return { chunks, mailings }
}

// Five calls to the queue.
const MAX_SLICES_PER_CRON_RUN = 500

export const waitingSliceSource: WaitingRowSource<SliceKey> = {
  toMessage: ({ subscriptionId, emailId, slice }) => ({ kind: 'mail.slice', subscriptionId, emailId, slice }),
  selectNew: statement(sql`
    SELECT ${columnList(emailSlices, SLICE_KEY_COLUMNS)} FROM ${emailSlices} WHERE ${sliceIsOfMailing} ORDER BY ${emailSlices.slice}`),
  selectDue: statement(
    selectDueInTurn({
      group: emailSlices.emailId,
      dueAt: emailSlices.nextAttemptAt,
      isWaiting: sql`true`,
      names: SLICE_KEY_COLUMNS,
      limit: MAX_SLICES_PER_CRON_RUN,
    }),
  ),
  markEnqueued: statement(sql`
    UPDATE ${emailSlices} SET ${assignments(emailSlices, { nextAttemptAt: sql`${caller.now} + ${inline(SLICE_REENQUEUE_DELAY_MS)}` })}
    FROM json_each(${param('names')}) o
    WHERE ${emailSlices.subscriptionId} = ${jsonElementValue('subscriptionId')} AND ${emailSlices.emailId} = ${jsonElementValue('emailId')}
      AND ${emailSlices.slice} = ${jsonElementValue('slice')}`),
}
