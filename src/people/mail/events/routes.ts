import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import type { Store } from '../../../db/client'
import { type AppEnv, answerHeaders, limitAddress, storeOf } from '../../../http/answer'
import { NOBODY, withHookBody } from '../../../http/hook'
import { ApiError, unauthorized } from '../../../text/errors'
import { parseJson } from '../../../text/json'
import { findById, noteEvent } from './queries'
import { type EventById, type MailEvent, readTag } from './read'
import { PROVIDERS, secretsOf, sourceOf } from './sources'

const MAX_BYTES = 1024 * 1024

const params = zValidator('param', z.object({ provider: z.enum(PROVIDERS) }), ({ success }) => {
  if (success) return
  throw new ApiError('route_not_found', `No mail provider is called so. There are ${PROVIDERS.join(', ')}.`)
})

const forged = () =>
  unauthorized('This does not come from the mail provider, or MAIL_EVENTS_SECRETS lacks the secret it was given.')

// Milliseconds without rate limit for an address whose last event was signed correctly, because a provider sends many
// events from few addresses. A forged event ends the exemption and counts against the limit.
const TRUSTED_FOR = 3_600_000
const MAX_TRUSTED = 1_000
const trusted = new Map<string, number>()

/** Checks the rate limit of the address before verifying the event. */
async function verifying<T>(c: Context<AppEnv>, provider: string, verify: () => Promise<T | undefined>): Promise<T> {
  c.set('limits', ['address'])
  const address = `${provider} ${c.req.header('cf-connecting-ip')}`
  const isTrusted = (trusted.get(address) ?? 0) > Date.now()
  if (!isTrusted) await limitAddress(c)
  const verified = await verify()
  if (verified === undefined) {
    trusted.delete(address)
    if (isTrusted) await limitAddress(c)
    throw forged()
  }
  if (trusted.size >= MAX_TRUSTED) trusted.clear()
  trusted.set(address, Date.now() + TRUSTED_FOR)
  return verified
}

// Milliseconds for the batch of a message to be recorded: the event may arrive earlier, or the attempt was cut off.
const UNRECORDED = 5 * 60_000

async function note(store: Store, event: MailEvent | EventById): Promise<void> {
  const named = event.tag === undefined ? await findById(store, event.messageId) : readTag(event.tag)
  if (named) await noteEvent(store, event, named)
  else if (event.tag === undefined && Date.now() - event.at < UNRECORDED) {
    throw new ApiError('temporarily_unavailable', 'The message is not known yet. Tell it again.', {
      headers: { 'Retry-After': '60' },
    })
  }
}

/**
 * `POST /api/hooks/mail/{provider}`, without an API key: events of the mail provider. A forged event is a 401.
 * Irrelevant and repeated events are a 200, because the provider would retry otherwise.
 */
export const mailEvents = new Hono<AppEnv>().post('/:provider', params, async (c) => {
  const { provider } = c.req.valid('param')
  const source = sourceOf(provider)
  const { headers } = c.req.raw
  const secrets = secretsOf(c.env.MAIL_EVENTS_SECRETS, provider)
  const event = await verifying(c, provider, async () => {
    if (!secrets.length || !(await source.admits(headers, secrets))) return undefined
    return withHookBody(c, { subscriptionId: NOBODY, maxBytes: MAX_BYTES }, async (body) =>
      (await source.signed(headers, body, secrets, Date.now())) ? { told: source.read(parseJson(body)) } : undefined,
    )
  })
  if (event.told) await note(storeOf(c), event.told)
  return c.json({ success: true, message: 'Taken', data: {} }, 200, answerHeaders(c))
})
