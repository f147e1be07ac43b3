import type { BackgroundDeps, MessageDeps } from '../../../background'
import type { Statement } from '../../../db/sql/statement'
import { readPublicUrl } from '../../../env'
import { unsealSecret } from '../../../http/sealed-secret'
import { createMailAcceptedMessage, createMailing } from '../../../people/mail/statements'
import { toParagraphs } from '../../../text/html/paragraphs'
import { buildHopsHeader } from '../hops'
import { findTokenInUrl } from '../incoming-token'
import { TOKEN_MASK } from '../mask'
import type { DeliveryAttempt } from '../schema'
import { explainRefusedWebhookUrl } from '../target'
import { fillInArchivedEvents } from './archive'
import { buildDeliveryBody, type DeliveryReader } from './body'
import { type DeliveryLinks, findLinks } from './links'
import { buildClaimStatements, buildRunEndStatements, type ClaimedEndpoint, type DueDelivery } from './queries/claim'
import {
  type AttemptOutcome,
  buildDisableStatements,
  buildSettleStatements,
  type DeliveryRoundSummary,
} from './queries/settle'
import { computeEndpointPauseMs, computeRetryDelayMs, DISABLE_AFTER_FAILING_MS } from './retry'
import { type AttemptResult, postDelivery } from './send'
import { signDelivery } from './sign'

export interface EndpointKey {
  subscriptionId: number
  webhookId: number
}

const MAX_CONCURRENT_ATTEMPTS = 4
// Remaining deliveries continue in a new message, because queued endpoints must get a turn.
const MAX_RUN_MS = 30_000

/** The same for every attempt and every replay of an event. */
export const makeMessageId = (subscriptionId: number, eventId: number) => `evt_${subscriptionId}_${eventId}`

/**
 * A round's outcomes are written with the next claim. Returns the milliseconds until the endpoint is due again, if less
 * than a minute.
 */
export async function deliverDueEvents(name: EndpointKey, deps: MessageDeps): Promise<number | undefined> {
  const began = deps.now()
  let claimed = await claimNextDeliveries(name, deps, { statements: [], claimsMore: true, failures: 0 })
  let failures = claimed.endpoint?.failures ?? 0
  while (claimed.endpoint && claimed.due.length) {
    const { endpoint, claim } = claimed
    const links = await findLinks(deps.store(deps.now()), name.subscriptionId, claimed.due, readerOfEndpoint(endpoint))
    const round = await sendDeliveries(name, endpoint, { due: claimed.due, links }, deps)
    const { tally } = round
    failures = (tally.succeeded ? 0 : failures) + tally.failed
    const notice = mustDisableEndpoint(round, endpoint, deps.now())
      ? createDisabledNotice(endpoint, round, deps)
      : undefined
    const statements = [
      ...buildSettleStatements(name.webhookId, claim, round.outcomes, tally),
      ...(notice ? buildDisableStatements(name.webhookId, notice) : []),
    ]
    const more = !notice && !round.isStopped && tally.failed === 0 && deps.now() - began < MAX_RUN_MS
    claimed = await claimNextDeliveries(name, deps, { statements, claimsMore: more, failures })
    if (notice) await deps.outlet.sendBatch([{ body: createMailAcceptedMessage(name.subscriptionId, notice) }])
  }
  const left = claimed.dueAt === null ? undefined : claimed.dueAt - deps.now()
  return left === undefined || left > MAX_RESUME_DELAY_MS ? undefined : Math.max(0, left)
}

const MAX_RESUME_DELAY_MS = 60_000

interface ClaimNextOptions {
  statements: Statement[]
  claimsMore: boolean
  failures: number
}

async function claimNextDeliveries(
  { subscriptionId, webhookId }: EndpointKey,
  deps: MessageDeps,
  { statements, claimsMore, failures }: ClaimNextOptions,
): Promise<{ claim: string; endpoint: ClaimedEndpoint | undefined; due: DueDelivery[]; dueAt: number | null }> {
  const claim = crypto.randomUUID()
  const now = deps.now()
  const claiming = claimsMore ? buildClaimStatements(webhookId, claim) : []
  const ending = buildRunEndStatements(webhookId, now + computeEndpointPauseMs(failures))
  const rows = await deps.store(now).batch(subscriptionId, ...statements, ...claiming, ...ending)
  const [, [endpoint] = [], due = []] = claimsMore
    ? (rows.slice(statements.length) as [never[], ClaimedEndpoint[], DueDelivery[]])
    : []
  const [left] = rows.at(-1) as { dueAt: number | null }[]
  const complete = await fillInArchivedEvents({ subscriptionId, webhookId }, due, deps)
  return { claim, endpoint, due: complete, dueAt: left?.dueAt ?? null }
}

interface DeliveryRound {
  outcomes: AttemptOutcome[]
  tally: DeliveryRoundSummary
  isGone: boolean
  isStopped: boolean
}

/** After a stop or `MAX_RUN_MS`, the rest becomes pending again. */
async function sendDeliveries(
  { subscriptionId }: EndpointKey,
  endpoint: ClaimedEndpoint,
  { due, links }: { due: readonly DueDelivery[]; links: ReadonlyMap<number, DeliveryLinks> },
  deps: MessageDeps,
): Promise<DeliveryRound> {
  const round: DeliveryRound = {
    outcomes: [],
    tally: { succeeded: false, failed: 0, error: null },
    isGone: false,
    isStopped: false,
  }
  const attempt = await createDeliverySender(subscriptionId, endpoint, { ...deps, links })
  const queue = [...due]
  const began = deps.now()
  const deliver = async (one: DueDelivery) => {
    if (round.isStopped || one.isUnread || deps.now() - began > MAX_RUN_MS) {
      round.outcomes.push({ eventId: one.eventId, status: 'pending', nextAttemptAt: deps.now(), attempt: null })
    } else if (one.data === null || one.at === null) {
      round.outcomes.push(makeUnreadableOutcome(one, deps.now()))
    } else addAttemptToRound(round, one, await attempt({ ...one, data: one.data, at: one.at }), deps)
  }
  const work = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const next = one
      await deps.connect(() => deliver(next))
    }
  }
  await Promise.all(Array.from({ length: endpoint.failures > 0 ? 1 : MAX_CONCURRENT_ATTEMPTS }, work))
  return round
}

function addAttemptToRound(
  round: DeliveryRound,
  { eventId, tries }: DueDelivery,
  result: AttemptResult,
  { now, random }: BackgroundDeps,
): void {
  const { attempt, isGone, retryAfter, timedOut } = result
  if (attempt.error === null) {
    round.tally = { succeeded: true, failed: 0, error: null }
    round.outcomes.push({ eventId, status: 'delivered', nextAttemptAt: now(), attempt })
    return
  }
  const delay = isGone ? undefined : computeRetryDelayMs(tries + 1, random(), retryAfter)
  round.tally = { ...round.tally, failed: round.tally.failed + 1, error: attempt.error }
  round.isGone ||= isGone
  round.isStopped ||= isGone || timedOut || retryAfter !== undefined
  const status = delay === undefined ? 'failed' : 'pending'
  round.outcomes.push({ eventId, status, nextAttemptAt: now() + (delay ?? 0), attempt })
}

const makeFailedAttempt = (at: number, error: string) => ({
  ...{ at: new Date(at).toISOString(), status: null, durationMs: 0, response: null, error },
})

const makeUnreadableOutcome = ({ eventId, at }: DueDelivery, now: number): AttemptOutcome => ({
  ...{ eventId, status: 'failed', nextAttemptAt: now },
  attempt: makeFailedAttempt(
    now,
    at === null ? 'The event is no longer kept.' : 'The API key of the webhook cannot read this event.',
  ),
})

const readerOfEndpoint = ({ scopes, products }: ClaimedEndpoint): DeliveryReader => ({
  scopes: JSON.parse(scopes) as string[],
  products: products === null ? null : (JSON.parse(products) as number[]),
})

/** A response or an error may repeat the URL. */
function maskTokenInAttempt(attempt: DeliveryAttempt, token: string | undefined): DeliveryAttempt {
  const masked = (text: string | null) => (token && text ? text.replaceAll(token, TOKEN_MASK) : text)
  return { ...attempt, response: masked(attempt.response), error: masked(attempt.error) }
}

async function createDeliverySender(
  subscriptionId: number,
  endpoint: ClaimedEndpoint,
  deps: MessageDeps & { links: ReadonlyMap<number, DeliveryLinks> },
) {
  const { SIGNING_SECRETS, PUBLIC_URL, WEBHOOK_LOOPBACK } = deps.settings
  const sealed = [endpoint.secret, endpoint.previousSecret].filter((one) => one !== null)
  const secrets = await Promise.all(sealed.map((one) => unsealSecret(SIGNING_SECRETS, subscriptionId, one)))
  const usable = secrets.filter((one) => one !== undefined)
  const url =
    endpoint.sealedUrl === null ? endpoint.url : await unsealSecret(SIGNING_SECRETS, subscriptionId, endpoint.sealedUrl)
  const refused =
    explainRefusedWebhookUrl(url ?? endpoint.url, {
      loopback: WEBHOOK_LOOPBACK === 'allow',
      ownUrl: PUBLIC_URL || undefined,
    }) ??
    (url === undefined ? 'The URL cannot be decrypted; set the URL again' : undefined) ??
    (secrets[0] === undefined ? 'The secret cannot be decrypted; rotate the secret' : undefined)
  const token = url && findTokenInUrl(url)
  const reader = readerOfEndpoint(endpoint)
  return async (one: DueDelivery & { data: string; at: number }): Promise<AttemptResult> => {
    if (refused !== undefined) {
      return {
        attempt: makeFailedAttempt(deps.now(), `Nothing was sent: ${refused}.`),
        isGone: false,
        retryAfter: undefined,
        timedOut: true,
      }
    }
    const body = buildDeliveryBody(one, reader, deps.links.get(one.eventId))
    const headers = await signDelivery({ id: makeMessageId(subscriptionId, one.eventId), at: deps.now(), body }, usable)
    const answered = await postDelivery(url ?? endpoint.url, body, { ...headers, ...buildHopsHeader(one.hops) }, deps)
    return { ...answered, attempt: maskTokenInAttempt(answered.attempt, token) }
  }
}

function mustDisableEndpoint({ isGone, tally }: DeliveryRound, { failingSince }: ClaimedEndpoint, now: number) {
  if (isGone) return true
  return tally.failed > 0 && !tally.succeeded && failingSince !== null && now - failingSince >= DISABLE_AFTER_FAILING_MS
}

function createDisabledNotice(
  { url }: ClaimedEndpoint,
  { isGone, tally }: DeliveryRound,
  { settings }: BackgroundDeps,
) {
  const why = isGone ? 'answered 410 Gone' : 'accepted nothing for five days'
  const { host } = new URL(url)
  const text = `The webhook to ${host} ${why} and was disabled. The last error: ${tally.error}\n\nSet its status to active when the endpoint works again. You can replay the missed events.`
  const letter = { subject: 'A webhook was disabled', html: toParagraphs(text), text }
  return createMailing(letter, settings, readPublicUrl(settings))
}
