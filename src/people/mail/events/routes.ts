import { zValidator } from '@hono/zod-validator'
import { type Context, Hono } from 'hono'
import * as z from 'zod'
import type { Store } from '../../../db/client'
import { type AppEnv, answerHeaders, limitAddress, storeOf } from '../../../http/answer'
import { joined, limited } from '../../../http/body'
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

async function forged(c: Context<AppEnv>): Promise<ApiError> {
  await limitAddress(c)
  return unauthorized(
    'This does not come from the mail provider, or MAIL_EVENTS_SECRETS lacks the secret it was given.',
  )
}

async function whole(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  for await (const piece of limited(request, MAX_BYTES, async () => {})) pieces.push(piece)
  return joined(pieces)
}

// An event may come before the batch is recorded that its message was in: in an attempt, or one that was cut off.
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
 * `POST /api/hooks/mail/{provider}`, without a key: what the mail provider tells of messages that it took. What is
 * not its own is a 401 and does nothing; what says nothing of a message of ours, or nothing new, does nothing, and is
 * a 200 all the same, as it would come again otherwise. A provider has few addresses and much to tell: an address is
 * limited in what is not the provider's.
 */
export const mailEvents = new Hono<AppEnv>().post('/:provider', params, async (c) => {
  c.set('limits', ['address'])
  const { provider } = c.req.valid('param')
  const source = sourceOf(provider)
  const { headers } = c.req.raw
  const secrets = secretsOf(c.env.MAIL_EVENTS_SECRETS, provider)
  if (!secrets.length || !(await source.admits(headers, secrets))) throw await forged(c)
  const body = await whole(c.req.raw)
  if (!(await source.signed(headers, body, secrets, Date.now()))) throw await forged(c)
  const event = source.read(parseJson(body))
  if (event) await note(storeOf(c), event)
  return c.json({ success: true, message: 'Taken', data: {} }, 200, answerHeaders(c))
})
