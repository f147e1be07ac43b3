import type { BackgroundDeps, MessageHandler } from '../../../background'
import type { Statement } from '../../../db/sql/statement'
import { splitIntoQueueCalls } from '../../../messages'
import type { WebhookAction, WebhookActionTarget } from '../fields'
import { planRequestForPayload } from '../plan'
import type { WebhookProvider } from '../providers'
import type { ItemChange } from '../sync/change'
import { deliverItemChange } from '../sync/deliver'
import { applyChange, applyRemoval, isFailed, type Progress } from './change'
import {
  claimReceipt,
  deferReceipt,
  listDueReceipts,
  markReceiptsEnqueued,
  type QueuedReceipt,
  type ReceiptKey,
  type ReceiptOutcome,
  recordReceiptOutcome,
} from './queries/receipts'
import { buildReleaseStatements, claimPlannedRecord, type RecordPlan, UNCHANGED_RECORD } from './queries/records'
import { createRequestSender, leaveOutRefusedFields, type Reply } from './requests'

/*
 * Queue consumer. Acknowledged: the requests were answered in any way, or no request was needed. Retried up to ten times:
 * a 5xx, a failure of the service, or a comment before its issue; foreign ids and Idempotency-Keys prevent duplicates. A
 * 429, a full database or another delivery of the same record is no attempt and waits. Given up: the receipt fails after
 * ten attempts. The cron finds lost receipts.
 */

const MAX_RECEIPT_ATTEMPTS = 10
const RECEIPT_RETRY_DELAY_MS = 60_000
// Another delivery works on the record for a second or two.
const RECORD_WAIT_MS = 3_000
const MAX_OUTCOME_LENGTH = 500

/** The outcome of a receipt, or the milliseconds to wait. `again`: the message itself waits, not the cron. */
type Settled = ReceiptOutcome | { after: number; again?: true }

export const receiptHandler: MessageHandler<'hook.receipt'> = {
  afterFailure: RECEIPT_RETRY_DELAY_MS,
  async handle({ subscriptionId, receiptId }, deps) {
    const name = { subscriptionId, receiptId }
    const row = await claimReceipt(deps.store(deps.now()), name)
    if (!row) return undefined
    const { settled, release } = await processReceipt(name, row, deps)
    const store = deps.store(deps.now())
    if (!settled) {
      if (release.length) await store.batch(subscriptionId, ...release)
      return RECEIPT_RETRY_DELAY_MS
    }
    if (!('after' in settled)) return void (await recordReceiptOutcome(store, name, row, settled, release))
    await deferReceipt(store, name, settled.after, release)
    return settled.again ? settled.after : undefined
  },
}

const makeFailedOutcome = (error: string): ReceiptOutcome => ({
  status: 'failed',
  outcome: null,
  error: error.slice(0, MAX_OUTCOME_LENGTH).toWellFormed(),
})

const makeIgnoredOutcome = (why: string): ReceiptOutcome => ({
  status: 'ignored',
  outcome: why.slice(0, MAX_OUTCOME_LENGTH).toWellFormed(),
  error: null,
})

interface Processed {
  /** Undefined for a retry. */
  settled: Settled | undefined
  /** Statements that end the lease of the record. */
  release: Statement<never>[]
}

async function processReceipt(name: ReceiptKey, row: QueuedReceipt, deps: BackgroundDeps): Promise<Processed> {
  const end = (settled: Settled | undefined, release: Statement<never>[] = []): Processed => ({ settled, release })
  if (row.attempts > MAX_RECEIPT_ATTEMPTS) return end(makeFailedOutcome('The delivery failed too often.'))
  const { product } = row
  if (product === null) return end(makeFailedOutcome('The product was removed.'))
  const input = {
    ...{ provider: row.provider as WebhookProvider, action: row.action as WebhookAction, product },
    target: JSON.parse(row.target) as WebhookActionTarget,
    mapping: JSON.parse(row.mapping) as Record<string, string>,
    exceptAuthors: JSON.parse(row.exceptAuthors) as string[],
  }
  const plan = planRequestForPayload(input, JSON.parse(row.payload))
  if (plan.does === 'nothing') return end(makeIgnoredOutcome(plan.why))
  if (row.jti === null)
    return end(makeFailedOutcome('The API key of the webhook has ended. Modify the webhook with another key.'))
  if (plan.does === 'merge') return end(await mergeDelivery(plan.change, name, { ...row, product }, deps))
  const send = createRequestSender(name, row, deps)
  if (plan.does === 'request') {
    const first = await send(plan.request)
    const reduced = leaveOutRefusedFields(plan.request, first)
    const reply = reduced ? await send(reduced.request) : first
    const key = readKey(reply)
    const done = reply.message === undefined ? [] : [reply.message]
    return end(settle({ reply, key, done, problems: reduced?.problems ?? [] }, row))
  }
  const found = await claimPlannedRecord(deps.store(deps.now()), name, row, plan)
  if (!found) return end({ after: RECORD_WAIT_MS, again: true })
  const context = { found, product, send }
  const progress = plan.does === 'remove' ? await applyRemoval(plan, context) : await applyChange(plan, context)
  return end(settle(progress, row), releaseRecord(progress, { name, row, plan }))
}

async function mergeDelivery(
  change: ItemChange,
  name: ReceiptKey,
  row: QueuedReceipt & { product: string },
  deps: BackgroundDeps,
): Promise<Settled | undefined> {
  const delivered = await deliverItemChange(change, row.deliveryId, {
    ...{ name, row, product: row.product, deps },
    // A sender without the header of hops is a webhook, too.
    send: createRequestSender(name, { ...row, hops: Math.max(1, row.hops) }, deps),
    sendAsOwnChange: createRequestSender(name, { ...row, hops: 0 }, deps),
  })
  if (!delivered) return { after: RECORD_WAIT_MS, again: true }
  if ('after' in delivered) return { after: delivered.after, again: true }
  return 'refused' in delivered ? makeFailedOutcome(delivered.refused) : settle(delivered.merged, row)
}

/** The changes of a delivery that is tried again are stored by the last attempt. */
function releaseRecord(
  progress: Progress,
  { name, row, plan }: { name: ReceiptKey; row: QueuedReceipt; plan: RecordPlan },
): Statement<never>[] {
  const isDone = !isFailed(progress) && !progress.isEarly
  const { record, comment } = isDone ? progress : { record: UNCHANGED_RECORD, comment: undefined }
  return buildReleaseStatements(name, row, plan, { record, comment })
}

const readKey = ({ data }: Reply): string | undefined => {
  const key = data?.externalKey ?? data?.external_key
  return key === undefined ? undefined : String(key)
}

function settle(
  { reply, key, done, problems, isEarly }: Pick<Progress, 'reply' | 'key' | 'done' | 'problems' | 'isEarly'>,
  { attempts }: QueuedReceipt,
): Settled | undefined {
  if (isEarly && attempts < MAX_RECEIPT_ATTEMPTS) return undefined
  if (reply === undefined) return makeIgnoredOutcome(problems.join(' '))
  const { response, message, error } = reply
  if (response.ok) {
    const summary = [`${key ? `${key}: ` : ''}${done.join('. ')}`, ...problems].join('. Left out: ')
    return { status: 'processed', outcome: summary.slice(0, MAX_OUTCOME_LENGTH).toWellFormed(), error: null }
  }
  if (response.status === 429 || error?.code === 'storage_full')
    return { after: Number(response.headers.get('retry-after') ?? 60) * 1000 }
  const isPassing = response.status >= 500 || response.status === 412
  if (isPassing && attempts < MAX_RECEIPT_ATTEMPTS) return undefined
  return makeFailedOutcome(message ?? `The response was ${response.status}.`)
}

export async function enqueueReceipts({
  store,
  outlet,
}: Pick<BackgroundDeps, 'outlet'> & { store: ReturnType<BackgroundDeps['store']> }) {
  for (const some of splitIntoQueueCalls(await listDueReceipts(store))) {
    await outlet.sendBatch(some.map((name) => ({ body: { kind: 'hook.receipt', ...name } })))
    await markReceiptsEnqueued(store, some)
  }
}
