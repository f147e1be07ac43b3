import { decodeSecretKeys, equalsInConstantTime, verifyEd25519, verifySignature } from '../../../http/signatures'
import { type MailEvent, readPostmarkEvent, readResendEvent, readTelnyxEvent, type UntaggedEvent } from './read'

interface ProviderEvents {
  hasCredentials(headers: Headers, secrets: readonly string[]): Promise<boolean>
  isAuthentic(
    headers: Headers,
    body: Uint8Array<ArrayBuffer>,
    secrets: readonly string[],
    now: number,
  ): Promise<boolean>
  parse(json: unknown): MailEvent | UntaggedEvent | undefined
}

const readWebhookHeader = (headers: Headers, name: string) =>
  headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''

const EVENTS_BY_PROVIDER = {
  // Standard Webhooks: Resend signs the body with a secret that Resend shows once, whsec_….
  resend: {
    hasCredentials: async (headers) => readWebhookHeader(headers, 'signature') !== '',
    isAuthentic: (headers, body, secrets, now) =>
      verifySignature(
        {
          id: readWebhookHeader(headers, 'id'),
          timestamp: readWebhookHeader(headers, 'timestamp'),
          signatures: readWebhookHeader(headers, 'signature'),
          body,
        },
        secrets.flatMap(decodeSecretKeys),
        now,
      ),
    parse: readResendEvent,
  },
  // Postmark signs nothing: the webhook address contains a user and a password.
  postmark: {
    async hasCredentials(headers, secrets) {
      const [, given = ''] = /^Basic ([\w+/=]{1,1000})$/i.exec(headers.get('authorization') ?? '') ?? []
      const same = await Promise.all(secrets.map((secret) => equalsInConstantTime(given, btoa(secret))))
      return same.includes(true)
    },
    isAuthentic: async () => true,
    parse: readPostmarkEvent,
  },
  // Telnyx signs with the account's private key; the setting holds the public key.
  telnyx: {
    hasCredentials: async (headers) => headers.has('telnyx-signature-ed25519'),
    isAuthentic: (headers, body, publicKeys, now) =>
      verifyEd25519(
        {
          timestamp: headers.get('telnyx-timestamp') ?? '',
          signature: headers.get('telnyx-signature-ed25519') ?? '',
          body,
        },
        publicKeys,
        now,
      ),
    parse: readTelnyxEvent,
  },
} as const satisfies Record<string, ProviderEvents>

export const EVENT_PROVIDERS = Object.keys(EVENTS_BY_PROVIDER) as [keyof typeof EVENTS_BY_PROVIDER]

export const findProviderEvents = (provider: keyof typeof EVENTS_BY_PROVIDER): ProviderEvents =>
  EVENTS_BY_PROVIDER[provider]

/** Parses the secrets of a provider: `resend=whsec_… postmark=user:password`, several per provider during rotation. */
export const parseProviderSecrets = (setting: string | undefined, provider: string): string[] =>
  (setting ?? '')
    .split(/\s+/)
    .filter((one) => one.startsWith(`${provider}=`) && /^[\x21-\x7e]+$/.test(one))
    .map((one) => one.slice(provider.length + 1))
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)

// Shorter secrets can be guessed.
const MIN_SECRET_CHARACTERS = 16
