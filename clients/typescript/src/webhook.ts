import type { Event } from './types.ts'

/** A delivery of a webhook, by the `type` of its event. */
export type Delivery = Event extends infer E
  ? E extends { type: infer Type; data: infer Data }
    ? {
        type: Type
        timestamp: string
        actor: Event['actor']
        origin: Event['origin']
        data: NonNullable<Data>
        previous?: Record<string, unknown>
      }
    : never
  : never

export interface VerifiedDelivery {
  /** The same in every attempt and every replay: skip an id that you have handled. */
  id: string
  delivery: Delivery
}

export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

const TOLERANCE_SECONDS = 300

/**
 * Checks the signature of a delivery (Standard Webhooks) and returns the event. `body` is the text as it arrived, and
 * `secret` is the secret of the webhook, `whsec_…`.
 */
export async function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
  secret: string,
  now = Date.now(),
): Promise<VerifiedDelivery> {
  const read = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const [id, timestamp, signatures] = [read('webhook-id'), read('webhook-timestamp'), read('webhook-signature')]
  if (!id || !signatures) throw new WebhookError('The headers of a signed delivery are missing.')
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new WebhookError('The delivery is older than five minutes, or the clock of this machine is wrong.')
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  // After a rotation a delivery has two signatures.
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, decodeBase64(value), signed)))
      return { id, delivery: JSON.parse(body) as Delivery }
  }
  throw new WebhookError('The signature is wrong. Check the secret, and pass the body as it arrived.')
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
