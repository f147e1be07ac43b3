import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { hasHome } from '../../../homes'
import { UNKNOWN_SENDER_WORKSPACE_ID, withHookBody } from '../../../http/hook'
import { type AppEnv, limitRequestAddress, makeCommonHeaders, openStoreOfRequest } from '../../../http/response'
import { ApiError, notConfiguredError, unauthorizedError } from '../../../text/errors'
import { parseJsonBytes } from '../../../text/json'
import { findRecipientByMessageId, recordMailEvent } from './queries'
import { type MailEvent, parseMessageTag, type UntaggedEvent } from './read'
import { EVENT_PROVIDERS, findProviderEvents, parseProviderSecrets } from './sources'

const MAX_MAIL_EVENT_BYTES = 1024 * 1024

const validateProviderParam = zValidator('param', z.object({ provider: z.enum(EVENT_PROVIDERS) }), ({ success }) => {
  if (success) return
  throw new ApiError('route_not_found', `The mail provider is unknown. Use one of ${EVENT_PROVIDERS.join(', ')}.`)
})

const createForgedEventError = () =>
  unauthorizedError('The request has no valid signature or password of the mail provider. Check MAIL_EVENTS_SECRETS.')

// A provider sends many events from few addresses, so an address is exempt from the rate limit after a signed event.
// A forged event ends the exemption and counts against the limit.
const TRUSTED_ADDRESS_TTL_MS = 3_600_000
const MAX_TRUSTED_ADDRESSES = 1_000
const expiryByTrustedAddress = new Map<string, number>()

async function verifyEventWithLimit<T>(
  c: Context<AppEnv>,
  provider: string,
  verify: () => Promise<T | undefined>,
): Promise<T> {
  c.set('limits', ['address'])
  const address = `${provider} ${c.req.header('cf-connecting-ip')}`
  const isTrusted = (expiryByTrustedAddress.get(address) ?? 0) > Date.now()
  if (!isTrusted) await limitRequestAddress(c)
  const verified = await verify()
  if (verified === undefined) {
    expiryByTrustedAddress.delete(address)
    if (isTrusted) await limitRequestAddress(c)
    throw createForgedEventError()
  }
  if (expiryByTrustedAddress.size >= MAX_TRUSTED_ADDRESSES) expiryByTrustedAddress.clear()
  expiryByTrustedAddress.set(address, Date.now() + TRUSTED_ADDRESS_TTL_MS)
  return verified
}

// Milliseconds for the batch of a message to be recorded: the event may arrive earlier, or the attempt was cut off.
const MAX_RECORDING_MS = 5 * 60_000

async function recordProviderEvent(c: Context<AppEnv>, event: MailEvent | UntaggedEvent): Promise<void> {
  const store = openStoreOfRequest(c)
  const named =
    event.tag === undefined ? await findRecipientByMessageId(store, event.messageId) : parseMessageTag(event.tag)
  // A workspace of no home belongs to another installation with the same account.
  if (named && !hasHome(c.env, named.subscriptionId)) return
  if (named) await recordMailEvent(store, event, named)
  else if (event.tag === undefined && Date.now() - event.occurredAt < MAX_RECORDING_MS) {
    throw new ApiError('temporarily_unavailable', 'The message is not known yet. Send the event again.', {
      headers: { 'Retry-After': '60' },
    })
  }
}

/** Irrelevant and repeated events are a 200, because the provider would retry otherwise. */
export const mailEventRoutes = new Hono<AppEnv>().post('/:provider', validateProviderParam, async (c) => {
  const { provider } = c.req.valid('param')
  const source = findProviderEvents(provider)
  const { headers } = c.req.raw
  const event = await verifyEventWithLimit(c, provider, async () => {
    if (!c.env.MAIL_EVENTS_SECRETS) throw notConfiguredError('MAIL_EVENTS_SECRETS')
    const secrets = parseProviderSecrets(c.env.MAIL_EVENTS_SECRETS, provider)
    if (!secrets.length || !(await source.hasCredentials(headers, secrets))) return undefined
    return withHookBody(
      c,
      { subscriptionId: UNKNOWN_SENDER_WORKSPACE_ID, maxBytes: MAX_MAIL_EVENT_BYTES },
      async (body) =>
        (await source.isAuthentic(headers, body, secrets, Date.now()))
          ? { mailEvent: source.parse(parseJsonBytes(body)) }
          : undefined,
    )
  })
  if (event.mailEvent) await recordProviderEvent(c, event.mailEvent)
  return c.json({ success: true, message: 'Event received', data: {} }, 200, makeCommonHeaders(c))
})
