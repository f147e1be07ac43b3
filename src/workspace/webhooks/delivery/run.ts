import type { Deps } from '../../../background'
import type { Statement } from '../../../db/statement'
import { publicUrl } from '../../../env'
import { type NewMailing, newMailing, wakes } from '../../../people/mail/statements'
import { MASK } from '../../incoming-webhooks/mask'
import { tokenIn } from '../../incoming-webhooks/token'
import { hopsHeader } from '../hops'
import type { Attempt } from '../schema'
import { unseal, unsealUrl } from '../secret'
import { unreachable } from '../target'
import { bodyOf, type Reader } from './body'
import { claims, type DueDelivery, type Endpoint, ends } from './queries/claim'
import { disables, type Outcome, settles, type Tally } from './queries/settle'
import { MAX_FAILING, rest, retryDelay } from './retry'
import { type Answered, post } from './send'
import { signed } from './sign'

export interface EndpointName {
  subscriptionId: number
  webhookId: number
}

// The platform limits an invocation to six open connections, shared by the endpoints of a message.
const AT_ONCE = 4
// Milliseconds of a run. Remaining deliveries continue in a new message, because queued endpoints must get a turn.
const RUN_TIME = 30_000

/** The `webhook-id`, the same for every attempt and every replay of an event. */
export const messageId = (subscriptionId: number, eventId: number) => `evt_${subscriptionId}_${eventId}`

/**
 * Delivers the due events of an endpoint in rounds. The outcomes of a round are written in the batch with the claim of
 * the next round. Returns the milliseconds until the endpoint is due again, if less than a minute.
 */
export async function deliver(name: EndpointName, deps: Deps): Promise<number | undefined> {
  const began = deps.now()
  let taken = await take(name, deps, { statements: [], more: true, failures: 0 })
  let failures = taken.endpoint?.failures ?? 0
  while (taken.endpoint && taken.due.length) {
    const { endpoint, claim } = taken
    const round = await sendAll(name, endpoint, taken.due, deps)
    const { tally } = round
    failures = (tally.succeeded ? 0 : failures) + tally.failed
    const letter = isOver(round, endpoint, deps.now()) ? farewell(endpoint, round, deps) : undefined
    const statements = [
      ...settles(name.webhookId, claim, round.outcomes, tally),
      ...(letter ? disables(name.webhookId, letter) : []),
    ]
    const more = !letter && !round.stopped && tally.failed === 0 && deps.now() - began < RUN_TIME
    taken = await take(name, deps, { statements, more, failures })
    if (letter) await deps.outlet.sendBatch([{ body: wakes(name.subscriptionId, letter) }])
  }
  const left = taken.dueAt === null ? undefined : taken.dueAt - deps.now()
  return left === undefined || left > SOON ? undefined : Math.max(0, left)
}

const SOON = 60_000

interface Taking {
  /** Runs in the same batch before the claim. */
  statements: Statement[]
  more: boolean
  failures: number
}

/** Writes outcomes, claims the next deliveries and reads the next due time in a single batch. */
async function take(
  { subscriptionId, webhookId }: EndpointName,
  deps: Deps,
  { statements, more, failures }: Taking,
): Promise<{ claim: string; endpoint: Endpoint | undefined; due: DueDelivery[]; dueAt: number | null }> {
  const claim = crypto.randomUUID()
  const now = deps.now()
  const claiming = more ? claims(webhookId, claim) : []
  const ending = ends(webhookId, now + rest(failures))
  const rows = await deps.store(now).batch(subscriptionId, ...statements, ...claiming, ...ending)
  const [, [endpoint] = [], due = []] = more
    ? (rows.slice(statements.length) as [never[], Endpoint[], DueDelivery[]])
    : []
  const [left] = rows.at(-1) as { dueAt: number | null }[]
  return { claim, endpoint, due, dueAt: left?.dueAt ?? null }
}

interface Round {
  outcomes: Outcome[]
  tally: Tally
  gone: boolean
  /** The endpoint is gone, timed out or asked for a pause. */
  stopped: boolean
}

/**
 * Sends claimed deliveries, at most `AT_ONCE` in parallel. After a stop or `RUN_TIME`, the rest becomes pending again.
 */
async function sendAll(
  { subscriptionId }: EndpointName,
  endpoint: Endpoint,
  due: readonly DueDelivery[],
  deps: Deps,
): Promise<Round> {
  const round: Round = {
    outcomes: [],
    tally: { succeeded: false, failed: 0, error: null },
    gone: false,
    stopped: false,
  }
  const attempt = await sender(subscriptionId, endpoint, deps)
  const queue = [...due]
  const began = deps.now()
  const work = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      if (round.stopped || deps.now() - began > RUN_TIME) {
        round.outcomes.push({ eventId: one.eventId, status: 'pending', nextAttemptAt: deps.now(), attempt: null })
        continue
      }
      if (one.data === null || one.at === null) {
        round.outcomes.push(lost(one, deps.now()))
        continue
      }
      note(round, one, await attempt({ ...one, data: one.data, at: one.at }), deps)
    }
  }
  await Promise.all(Array.from({ length: endpoint.failures > 0 ? 1 : AT_ONCE }, work))
  return round
}

function note(round: Round, { eventId, tries }: DueDelivery, answered: Answered, { now, random }: Deps): void {
  const { attempt, gone, after, slow } = answered
  if (attempt.error === null) {
    round.tally = { succeeded: true, failed: 0, error: null }
    round.outcomes.push({ eventId, status: 'delivered', nextAttemptAt: now(), attempt })
    return
  }
  const delay = gone ? undefined : retryDelay(tries + 1, random(), after)
  round.tally = { ...round.tally, failed: round.tally.failed + 1, error: attempt.error }
  round.gone ||= gone
  round.stopped ||= gone || slow || after !== undefined
  const status = delay === undefined ? 'failed' : 'pending'
  round.outcomes.push({ eventId, status, nextAttemptAt: now() + (delay ?? 0), attempt })
}

const problem = (at: number, error: string) => ({
  ...{ at: new Date(at).toISOString(), status: null, durationMs: 0, response: null, error },
})

const lost = ({ eventId, at }: DueDelivery, now: number): Outcome => ({
  ...{ eventId, status: 'failed', nextAttemptAt: now },
  attempt: problem(
    now,
    at === null ? 'The event is not kept any more.' : 'The API key that it is delivered for may not read this event.',
  ),
})

const readerOf = ({ scopes, products }: Endpoint): Reader => ({
  scopes: JSON.parse(scopes) as string[],
  products: products === null ? null : (JSON.parse(products) as number[]),
})

/** Masks the token of an incoming webhook in the response and the error, which may repeat the URL. */
function withoutToken(attempt: Attempt, token: string | undefined): Attempt {
  const masked = (text: string | null) => (token && text ? text.replaceAll(token, MASK) : text)
  return { ...attempt, response: masked(attempt.response), error: masked(attempt.error) }
}

/** Builds the function for an attempt. A forbidden attempt fails without a request. */
async function sender(subscriptionId: number, endpoint: Endpoint, deps: Deps) {
  const { SIGNING_SECRETS, PUBLIC_URL, WEBHOOK_LOOPBACK } = deps.settings
  const sealed = [endpoint.secret, endpoint.previousSecret].filter((one) => one !== null)
  const secrets = await Promise.all(sealed.map((one) => unseal(SIGNING_SECRETS, subscriptionId, one)))
  const usable = secrets.filter((one) => one !== undefined)
  const url =
    endpoint.sealedUrl === null ? endpoint.url : await unsealUrl(SIGNING_SECRETS, subscriptionId, endpoint.sealedUrl)
  const refused =
    unreachable(url ?? endpoint.url, { loopback: WEBHOOK_LOOPBACK === 'allow', own: PUBLIC_URL || undefined }) ??
    (url === undefined ? 'Its URL cannot be read any more: set it again' : undefined) ??
    (secrets[0] === undefined ? 'Its secret cannot be read any more: rotate it' : undefined)
  const token = url && tokenIn(url)
  const reader = readerOf(endpoint)
  return async (one: DueDelivery & { data: string; at: number }): Promise<Answered> => {
    if (refused !== undefined) {
      return {
        attempt: problem(deps.now(), `Nothing was sent: ${refused}.`),
        gone: false,
        after: undefined,
        slow: true,
      }
    }
    const body = bodyOf(one, reader)
    const headers = await signed({ id: messageId(subscriptionId, one.eventId), at: deps.now(), body }, usable)
    const answered = await post(url ?? endpoint.url, body, { ...headers, ...hopsHeader(one.hops) }, deps)
    return { ...answered, attempt: withoutToken(answered.attempt, token) }
  }
}

function isOver({ gone, tally }: Round, { failingSince }: Endpoint, now: number): boolean {
  if (gone) return true
  return tally.failed > 0 && !tally.succeeded && failingSince !== null && now - failingSince >= MAX_FAILING
}

function farewell({ url }: Endpoint, { gone, tally }: Round, { settings }: Deps): NewMailing {
  const why = gone ? 'answered 410 Gone' : 'has taken nothing for five days'
  const { host } = new URL(url)
  const text = `The webhook to ${host} ${why}, so it was disabled. The last error: ${tally.error}\n\nOnce it works again, set its status to active; what was missed can be replayed.`
  const html = text
    .split('\n\n')
    .map((part) => `<p>${part.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`)
    .join('')
  return newMailing({ subject: 'A webhook was disabled', html, text }, settings, publicUrl(settings))
}
