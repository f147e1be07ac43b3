import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../db/client'
import { event } from '../../../db/events'
import { emailChunks, emailRecipients, emails, suppressions } from '../../../db/schema/segments-and-mail'
import { assignments, caller, columns, param, statement } from '../../../db/statement'

/** Milliseconds that an attempt has; then another may claim the chunk. */
export const LEASE = 120_000
/** Milliseconds that an accepted mailing has to reach the queue by itself, before the cron puts it there. */
export const GRACE = 60_000
/** Milliseconds after which a chunk that was put on the queue and not begun is put there again. */
const PATIENCE = 120_000
// What a cron run may wake: ten calls to the queue. The next run is a minute away.
const MAX_WOKEN = 1000

export interface ChunkName {
  subscriptionId: number
  emailId: number
  chunk: number
}

type Claim = { emailId: number; chunk: number; claim: string }

const raw = (value: number) => sql.raw(String(value))

const thisChunk = sql`${emailChunks.subscriptionId} = ${caller.subscription}
  AND ${emailChunks.emailId} = ${param('emailId')} AND ${emailChunks.chunk} = ${param('chunk')}`

const thisEmail = sql`${emails.subscriptionId} = ${caller.subscription} AND ${emails.id} = ${param('emailId')}`

const chunkSize = sql`(SELECT ${emails.chunkSize} FROM ${emails} WHERE ${thisEmail})`

const ofThisEmail = sql`${emailRecipients.subscriptionId} = ${caller.subscription}
  AND ${emailRecipients.emailId} = ${param('emailId')}`

const inThisChunk = sql`${ofThisEmail}
  AND ${emailRecipients.position} >= ${param('chunk')} * ${chunkSize}
  AND ${emailRecipients.position} < (${param('chunk')} + 1) * ${chunkSize}`

const isMine = sql`EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${thisChunk} AND ${emailChunks.claim} = ${param('claim')})`

// A claim that lapsed may have reached the provider.
const unsureSince = sql`CASE ${emailChunks.status} WHEN 'sending'
  THEN coalesce(${emailChunks.unsureSince}, ${emailChunks.nextAttemptAt} - ${raw(LEASE)})
  ELSE ${emailChunks.unsureSince} END`

// After an outcome that is unknown this one may end its process as well: it comes back later and later, up to 16 minutes.
const lease = sql`${raw(LEASE)} * CASE WHEN ${emailChunks.unsureSince} IS NULL THEN 1
  ELSE min(${emailChunks.attempts} + 1, 8) END`

const claim = statement<never, Claim>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    unsureSince,
    status: sql`'sending'`,
    attempts: sql`${emailChunks.attempts} + 1`,
    nextAttemptAt: sql`${caller.now} + ${lease}`,
    claim: param('claim'),
  })}
  WHERE ${thisChunk} AND (${emailChunks.status} = 'pending'
    OR (${emailChunks.status} IN ('waiting', 'sending') AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`)

const suppressed = sql`EXISTS (SELECT 1 FROM ${suppressions}
  WHERE ${suppressions.subscriptionId} = ${caller.subscription} AND ${suppressions.email} = ${emailRecipients.email}
    AND ${suppressions.segmentId} IN (0, (SELECT ${emails.segmentId} FROM ${emails} WHERE ${thisEmail})))`

// Whom the provider may have taken stays, so that the same batch goes out again under the same key; anyone else is
// left out until the last moment.
const leftOut = sql`${suppressed} AND (${emailRecipients.status} = 'queued'
  OR (${emailRecipients.status} = 'sending'
    AND EXISTS (SELECT 1 FROM ${emailChunks} WHERE ${thisChunk} AND ${emailChunks.unsureSince} IS NULL)))`

const countSuppressed = statement<never, Claim>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    status: sql`'sending'`,
    suppressed: sql`${emails.suppressed} + (SELECT count(*) FROM ${emailRecipients}
      WHERE ${inThisChunk} AND ${leftOut})`,
    updatedAt: caller.now,
  })}
  WHERE ${thisEmail} AND ${emails.status} <> 'completed' AND ${isMine}`)

const leaveOut = statement<never, Claim>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: sql`'suppressed'`,
    reason: sql`'Unsubscribed before the mail was sent.'`,
    updatedAt: caller.now,
  })}
  WHERE ${inThisChunk} AND ${leftOut} AND ${isMine}`)

const takeIn = statement<never, Claim>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, { status: sql`'sending'`, updatedAt: caller.now })}
  WHERE ${inThisChunk} AND ${emailRecipients.status} = 'queued' AND ${isMine}`)

interface ChunkRow {
  status: string
  attempts: number
  asked: number
  unsureSince: number | null
  problem: string | null
}

const selectChunk = statement<ChunkRow, Claim>(sql`
  SELECT ${columns(emailChunks, ['status', 'attempts', 'asked', 'unsureSince', 'problem'])}
  FROM ${emailChunks} WHERE ${thisChunk}`)

interface MailingRow {
  reference: string
  segmentId: number | null
  subject: string
  html: string
  text: string
  baseUrl: string
  createdAt: number
}

const selectMailing = statement<MailingRow, Claim>(sql`
  SELECT ${columns(emails, ['reference', 'segmentId', 'subject', 'html', 'text', 'baseUrl', 'createdAt'])}
  FROM ${emails} WHERE ${thisEmail} AND ${isMine}`)

export interface Member {
  position: number
  email: string
  status: string
}

const selectMembers = statement<Member, Claim>(sql`
  SELECT ${columns(emailRecipients, ['position', 'email', 'status'])} FROM ${emailRecipients}
  WHERE ${inThisChunk} AND ${emailRecipients.status} <> 'suppressed' AND ${isMine}
  ORDER BY ${emailRecipients.position}`)

export interface Claimed {
  name: ChunkName
  claim: string
  mailing: MailingRow & { subscriptionId: number }
  /** Everyone the chunk is sent to, with what is recorded so far: `sending`, `sent` or `failed`. */
  members: Member[]
  /** With this one. */
  attempts: number
  /** Attempts before this one in which the provider was asked. */
  asked: number
  /** Since when it is unknown whether an attempt was taken; null when no outcome is in doubt. */
  unsureSince: number | null
  problem: string | null
}

/**
 * Takes a chunk for one attempt and settles whom it goes to, in one trip: while no earlier attempt may have been taken,
 * without those who have unsubscribed since. `busy`: another attempt has it, or it waits.
 */
export async function claimChunk(store: Store, name: ChunkName): Promise<Claimed | 'done' | 'busy'> {
  const values = { emailId: name.emailId, chunk: name.chunk, claim: crypto.randomUUID() }
  const [, , , , chunks, mailings, members] = await store.batch(
    name.subscriptionId,
    claim(values),
    countSuppressed(values),
    leaveOut(values),
    takeIn(values),
    selectChunk(values),
    selectMailing(values),
    selectMembers(values),
  )
  const [chunk] = chunks
  const [mailing] = mailings
  if (!chunk || chunk.status === 'done') return 'done'
  if (!mailing) return 'busy'
  return {
    name,
    claim: values.claim,
    mailing: { ...mailing, subscriptionId: name.subscriptionId },
    members,
    attempts: chunk.attempts,
    asked: chunk.asked,
    unsureSince: chunk.unsureSince,
    problem: chunk.problem,
  }
}

export interface Recorded {
  position: number
  status: 'sent' | 'failed'
  reason: string | null
  providerId: string | null
}

type Outcomes = { emailId: number; outcomes: string }

const given = (field: string) => sql`(o.value ->> ${sql.raw(`'${field}'`)})`

// Counted before they are written, in the same batch: whoever records a recipient first counts it, and only once.
const newly = (status: string) => sql`(SELECT count(*) FROM json_each(${param('outcomes')}) o
  CROSS JOIN ${emailRecipients} WHERE ${ofThisEmail} AND ${emailRecipients.position} = ${given('position')}
    AND ${emailRecipients.status} = 'sending' AND ${given('status')} = ${sql.raw(`'${status}'`)})`

const countOutcomes = statement<never, Outcomes>(sql`
  UPDATE ${emails} SET ${assignments(emails, {
    sent: sql`${emails.sent} + ${newly('sent')}`,
    failed: sql`${emails.failed} + ${newly('failed')}`,
    updatedAt: caller.now,
  })}
  WHERE ${thisEmail}`)

const recordOutcomes = statement<never, Outcomes>(sql`
  UPDATE ${emailRecipients} SET ${assignments(emailRecipients, {
    status: given('status'),
    reason: given('reason'),
    providerId: given('providerId'),
    updatedAt: caller.now,
  })}
  FROM json_each(${param('outcomes')}) o
  WHERE ${ofThisEmail} AND ${emailRecipients.position} = ${given('position')} AND ${emailRecipients.status} = 'sending'`)

type Settlement = {
  /** Whether the provider was asked in this attempt. */
  asked: boolean
  /** When the next attempt may be made, if anything is left. */
  nextAttemptAt: number
  unsureSince: number | null
  problem: string | null
}

const settle = statement<never, Claim & Settlement>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`CASE WHEN EXISTS (SELECT 1 FROM ${emailRecipients}
      WHERE ${inThisChunk} AND ${emailRecipients.status} IN ('queued', 'sending')) THEN 'waiting' ELSE 'done' END`,
    asked: sql`${emailChunks.asked} + ${param('asked')}`,
    nextAttemptAt: param('nextAttemptAt'),
    unsureSince: param('unsureSince'),
    problem: param('problem'),
  })}
  WHERE ${thisChunk} AND ${emailChunks.claim} = ${param('claim')}`)

const isFinished: SQL = sql`${thisEmail} AND ${emails.status} <> 'completed'
  AND ${emails.sent} + ${emails.failed} + ${emails.suppressed} >= ${emails.total}`

const completed = event<{ emailId: number }>({
  type: 'email.completed',
  key: sql`${emails.id}`,
  from: sql`FROM ${emails} WHERE ${isFinished}`,
})

const complete = statement<never, { emailId: number }>(sql`
  UPDATE ${emails} SET ${assignments(emails, { status: sql`'completed'`, completedAt: caller.now })}
  WHERE ${isFinished}`)

/** Writes what became of recipients and of the chunk, and completes the mailing with the last of them: one transaction. */
export async function recordChunk(
  store: Store,
  claimed: Claimed,
  outcomes: readonly Recorded[],
  settlement: Settlement,
): Promise<void> {
  const { emailId, chunk, subscriptionId } = claimed.name
  const recorded = { emailId, outcomes: JSON.stringify(outcomes) }
  await store.batch(
    subscriptionId,
    countOutcomes(recorded),
    recordOutcomes(recorded),
    settle({ emailId, chunk, claim: claimed.claim, ...settlement }),
    completed({}, { emailId }),
    complete({ emailId }),
  )
}

// One that is claimed comes back when its claim lapses.
const postpone = statement<never, { emailId: number; chunk: number; until: number }>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    status: sql`'waiting'`,
    nextAttemptAt: sql`max(${emailChunks.nextAttemptAt}, ${param('until')})`,
  })}
  WHERE ${thisChunk} AND ${emailChunks.status} IN ('pending', 'waiting')`)

/** Leaves a chunk to the cron, no sooner than `until`. */
export async function postponeChunk(store: Store, { subscriptionId, emailId, chunk }: ChunkName, until: number) {
  await store.batch(subscriptionId, postpone({ emailId, chunk, until }))
}

const NAME = ['subscriptionId', 'emailId', 'chunk'] as const

// Within their grace; those that are on the queue already lie beyond it. Half way in between: clocks differ.
const selectAccepted = statement<ChunkName, { emailId: number }>(sql`
  SELECT ${columns(emailChunks, NAME)} FROM ${emailChunks}
  WHERE ${emailChunks.subscriptionId} = ${caller.subscription} AND ${emailChunks.emailId} = ${param('emailId')}
    AND ${emailChunks.status} = 'pending' AND ${emailChunks.claim} IS NULL
    AND ${emailChunks.nextAttemptAt} <= ${caller.now} + ${raw((GRACE + PATIENCE) / 2)} ORDER BY ${emailChunks.chunk}`)

const selectDue = statement<ChunkName>(sql`
  SELECT ${columns(emailChunks, NAME)} FROM ${emailChunks}
  WHERE ${emailChunks.status} <> 'done' AND ${emailChunks.nextAttemptAt} <= ${caller.now}
  ORDER BY ${emailChunks.nextAttemptAt} LIMIT ${raw(MAX_WOKEN)}`)

/** The chunks of a mailing that are not on the queue yet. */
export async function listAccepted(store: Store, subscriptionId: number, emailId: number): Promise<ChunkName[]> {
  const [rows] = await store.batch(subscriptionId, selectAccepted({ emailId }))
  return rows
}

/** Whatever should be under way and is not, of all subscriptions, the longest due first; at most 1,000. */
export async function listDue(store: Store): Promise<ChunkName[]> {
  const [rows] = await store.batch(null, selectDue({}))
  return rows
}

// A claim made since leaves the chunk alone: its next_attempt_at lies beyond.
const mark = statement<never, { names: string }>(sql`
  UPDATE ${emailChunks} SET ${assignments(emailChunks, {
    unsureSince,
    status: sql`'pending'`,
    nextAttemptAt: sql`${caller.now} + ${raw(PATIENCE)}`,
  })}
  FROM json_each(${param('names')}) o
  WHERE ${emailChunks.subscriptionId} = ${given('subscriptionId')} AND ${emailChunks.emailId} = ${given('emailId')}
    AND ${emailChunks.chunk} = ${given('chunk')}
    AND (${emailChunks.status} = 'pending'
      OR (${emailChunks.status} <> 'done' AND ${emailChunks.nextAttemptAt} <= ${caller.now}))`)

/** Notes that chunks are on the queue. */
export async function markWoken(store: Store, names: readonly ChunkName[]): Promise<void> {
  await store.batch(null, mark({ names: JSON.stringify(names) }))
}
