import { equalsInConstantTime, secretKeys, verifyEd25519, verifySignature } from '../../../http/signatures'
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

const readHeader = (headers: Headers, name: string) =>
  headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''

const SOURCES = {
  // Standard Webhooks: Resend signs the body with a secret that Resend shows once, whsec_….
  resend: {
    hasCredentials: async (headers) => readHeader(headers, 'signature') !== '',
    isAuthentic: (headers, body, secrets, now) =>
      verifySignature(
        {
          id: readHeader(headers, 'id'),
          timestamp: readHeader(headers, 'timestamp'),
          signatures: readHeader(headers, 'signature'),
          body,
        },
        secrets.flatMap(secretKeys),
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

export const PROVIDERS = Object.keys(SOURCES) as [keyof typeof SOURCES]

export const findProviderEvents = (provider: keyof typeof SOURCES): ProviderEvents => SOURCES[provider]

/** Parses the secrets of a provider: `resend=whsec_… postmark=user:password`, several per provider during rotation. */
export const parseSecrets = (setting: string | undefined, provider: string): string[] =>
  (setting ?? '')
    .split(/\s+/)
    .filter((one) => one.startsWith(`${provider}=`) && /^[\x21-\x7e]+$/.test(one))
    .map((one) => one.slice(provider.length + 1))
    .filter((secret) => secret.length >= MIN_SECRET)

// Shorter secrets can be guessed.
const MIN_SECRET = 16
