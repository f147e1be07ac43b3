import type { Deps } from '../../../background'
import type { Statement } from '../../../db/sql/statement'
import { publicUrl } from '../../../env'
import { createMailAcceptedMessage, createMailing, type NewMailing } from '../../../people/mail/statements'
import { buildHopsHeader } from '../hops'
import { findToken } from '../incoming-token'
import { MASK } from '../mask'
import type { Attempt } from '../schema'
import { unseal, unsealUrl } from '../secret'
import { explainRefusedUrl } from '../target'
import { buildBody, type DeliveryReader } from './body'
import { buildClaim, buildRunEnd, type ClaimedEndpoint, type DueDelivery } from './queries/claim'
import { type AttemptOutcome, disableEndpoint, type RoundSummary, settleDeliveries } from './queries/settle'
import { DISABLED_AFTER, pauseAfter, retryDelay } from './retry'
import { type AttemptResult, postDelivery } from './send'
import { signDelivery } from './sign'

export interface EndpointKey {
  subscriptionId: number
  webhookId: number
}

// The platform limits an invocation to six open connections, shared by the endpoints of a message.
const CONCURRENT_ATTEMPTS = 4
// Remaining deliveries continue in a new message, because queued endpoints must get a turn.
const RUN_TIME = 30_000

/** The same for every attempt and every replay of an event. */
export const makeMessageId = (subscriptionId: number, eventId: number) => `evt_${subscriptionId}_${eventId}`

/**
 * A round's outcomes are written with the next claim. Returns the milliseconds until the endpoint is due again, if less
 * than a minute.
 */
export async function deliverDue(name: EndpointKey, deps: Deps): Promise<number | undefined> {
  const began = deps.now()
  let claimed = await claimNext(name, deps, { statements: [], claimsMore: true, failures: 0 })
  let failures = claimed.endpoint?.failures ?? 0
  while (claimed.endpoint && claimed.due.length) {
    const { endpoint, claim } = claimed
    const round = await sendDeliveries(name, endpoint, claimed.due, deps)
    const { tally } = round
    failures = (tally.succeeded ? 0 : failures) + tally.failed
    const notice = mustDisable(round, endpoint, deps.now()) ? disabledNotice(endpoint, round, deps) : undefined
    const statements = [
      ...settleDeliveries(name.webhookId, claim, round.outcomes, tally),
      ...(notice ? disableEndpoint(name.webhookId, notice) : []),
    ]
    const more = !notice && !round.isStopped && tally.failed === 0 && deps.now() - began < RUN_TIME
    claimed = await claimNext(name, deps, { statements, claimsMore: more, failures })
    if (notice) await deps.outlet.sendBatch([{ body: createMailAcceptedMessage(name.subscriptionId, notice) }])
  }
  const left = claimed.dueAt === null ? undefined : claimed.dueAt - deps.now()
  return left === undefined || left > RESUME_WITHIN ? undefined : Math.max(0, left)
}

const RESUME_WITHIN = 60_000

interface ClaimOptions {
  statements: Statement[]
  claimsMore: boolean
  failures: number
}

async function claimNext(
  { subscriptionId, webhookId }: EndpointKey,
  deps: Deps,
  { statements, claimsMore, failures }: ClaimOptions,
): Promise<{ claim: string; endpoint: ClaimedEndpoint | undefined; due: DueDelivery[]; dueAt: number | null }> {
  const claim = crypto.randomUUID()
  const now = deps.now()
  const claiming = claimsMore ? buildClaim(webhookId, claim) : []
  const ending = buildRunEnd(webhookId, now + pauseAfter(failures))
  const rows = await deps.store(now).batch(subscriptionId, ...statements, ...claiming, ...ending)
  const [, [endpoint] = [], due = []] = claimsMore
    ? (rows.slice(statements.length) as [never[], ClaimedEndpoint[], DueDelivery[]])
    : []
  const [left] = rows.at(-1) as { dueAt: number | null }[]
  return { claim, endpoint, due, dueAt: left?.dueAt ?? null }
}

interface DeliveryRound {
  outcomes: AttemptOutcome[]
  tally: RoundSummary
  isGone: boolean
  isStopped: boolean
}

/** After a stop or `MAX_RUN_MS`, the rest becomes pending again. */
async function sendDeliveries(
  { subscriptionId }: EndpointKey,
  endpoint: ClaimedEndpoint,
  due: readonly DueDelivery[],
  deps: Deps,
): Promise<DeliveryRound> {
  const round: DeliveryRound = {
    outcomes: [],
    tally: { succeeded: false, failed: 0, error: null },
    isGone: false,
    isStopped: false,
  }
  const attempt = await createSender(subscriptionId, endpoint, deps)
  const queue = [...due]
  const began = deps.now()
  const work = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      if (round.isStopped || deps.now() - began > RUN_TIME) {
        round.outcomes.push({ eventId: one.eventId, status: 'pending', nextAttemptAt: deps.now(), attempt: null })
        continue
      }
      if (one.data === null || one.at === null) {
        round.outcomes.push(failUnreadable(one, deps.now()))
        continue
      }
      recordAttempt(round, one, await attempt({ ...one, data: one.data, at: one.at }), deps)
    }
  }
  await Promise.all(Array.from({ length: endpoint.failures > 0 ? 1 : CONCURRENT_ATTEMPTS }, work))
  return round
}

function recordAttempt(
  round: DeliveryRound,
  { eventId, tries }: DueDelivery,
  result: AttemptResult,
  { now, random }: Deps,
): void {
  const { attempt, isGone, retryAfter, timedOut } = result
  if (attempt.error === null) {
    round.tally = { succeeded: true, failed: 0, error: null }
    round.outcomes.push({ eventId, status: 'delivered', nextAttemptAt: now(), attempt })
    return
  }
  const delay = isGone ? undefined : retryDelay(tries + 1, random(), retryAfter)
  round.tally = { ...round.tally, failed: round.tally.failed + 1, error: attempt.error }
  round.isGone ||= isGone
  round.isStopped ||= isGone || timedOut || retryAfter !== undefined
  const status = delay === undefined ? 'failed' : 'pending'
  round.outcomes.push({ eventId, status, nextAttemptAt: now() + (delay ?? 0), attempt })
}

const failedAttempt = (at: number, error: string) => ({
  ...{ at: new Date(at).toISOString(), status: null, durationMs: 0, response: null, error },
})

const failUnreadable = ({ eventId, at }: DueDelivery, now: number): AttemptOutcome => ({
  ...{ eventId, status: 'failed', nextAttemptAt: now },
  attempt: failedAttempt(
    now,
    at === null ? 'The event is no longer kept.' : 'The API key of the webhook cannot read this event.',
  ),
})

const readerOf = ({ scopes, products }: ClaimedEndpoint): DeliveryReader => ({
  scopes: JSON.parse(scopes) as string[],
  products: products === null ? null : (JSON.parse(products) as number[]),
})

/** A response or an error may repeat the URL. */
function withoutToken(attempt: Attempt, token: string | undefined): Attempt {
  const masked = (text: string | null) => (token && text ? text.replaceAll(token, MASK) : text)
  return { ...attempt, response: masked(attempt.response), error: masked(attempt.error) }
}

async function createSender(subscriptionId: number, endpoint: ClaimedEndpoint, deps: Deps) {
  const { SIGNING_SECRETS, PUBLIC_URL, WEBHOOK_LOOPBACK } = deps.settings
  const sealed = [endpoint.secret, endpoint.previousSecret].filter((one) => one !== null)
  const secrets = await Promise.all(sealed.map((one) => unseal(SIGNING_SECRETS, subscriptionId, one)))
  const usable = secrets.filter((one) => one !== undefined)
  const url =
    endpoint.sealedUrl === null ? endpoint.url : await unsealUrl(SIGNING_SECRETS, subscriptionId, endpoint.sealedUrl)
  const refused =
    explainRefusedUrl(url ?? endpoint.url, {
      loopback: WEBHOOK_LOOPBACK === 'allow',
      ownUrl: PUBLIC_URL || undefined,
    }) ??
    (url === undefined ? 'The URL cannot be decrypted; set the URL again' : undefined) ??
    (secrets[0] === undefined ? 'The secret cannot be decrypted; rotate the secret' : undefined)
  const token = url && findToken(url)
  const reader = readerOf(endpoint)
  return async (one: DueDelivery & { data: string; at: number }): Promise<AttemptResult> => {
    if (refused !== undefined) {
      return {
        attempt: failedAttempt(deps.now(), `Nothing was sent: ${refused}.`),
        isGone: false,
        retryAfter: undefined,
        timedOut: true,
      }
    }
    const body = buildBody(one, reader)
    const headers = await signDelivery({ id: makeMessageId(subscriptionId, one.eventId), at: deps.now(), body }, usable)
    const answered = await postDelivery(url ?? endpoint.url, body, { ...headers, ...buildHopsHeader(one.hops) }, deps)
    return { ...answered, attempt: withoutToken(answered.attempt, token) }
  }
}

function mustDisable({ isGone, tally }: DeliveryRound, { failingSince }: ClaimedEndpoint, now: number): boolean {
  if (isGone) return true
  return tally.failed > 0 && !tally.succeeded && failingSince !== null && now - failingSince >= DISABLED_AFTER
}

function disabledNotice({ url }: ClaimedEndpoint, { isGone, tally }: DeliveryRound, { settings }: Deps): NewMailing {
  const why = isGone ? 'answered 410 Gone' : 'accepted nothing for five days'
  const { host } = new URL(url)
  const text = `The webhook to ${host} ${why} and was disabled. The last error: ${tally.error}\n\nSet its status to active when the endpoint works again. You can replay the missed events.`
  const html = text
    .split('\n\n')
    .map((part) => `<p>${part.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`)
    .join('')
  return createMailing({ subject: 'A webhook was disabled', html, text }, settings, publicUrl(settings))
}
