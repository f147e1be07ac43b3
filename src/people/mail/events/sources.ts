import { isSame, isSigned, isSignedByKey, keyOf } from '../../../http/signed'
import { type EventById, type MailEvent, readPostmarkEvent, readResendEvent, readTelnyxEvent } from './read'

interface Source {
  /** Checks the headers before the body is read. */
  admits(headers: Headers, secrets: readonly string[]): Promise<boolean>
  signed(headers: Headers, body: Uint8Array<ArrayBuffer>, secrets: readonly string[], now: number): Promise<boolean>
  read(json: unknown): MailEvent | EventById | undefined
}

const header = (headers: Headers, name: string) => headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''

const SOURCES = {
  // Standard Webhooks: Resend signs the body with a secret that Resend shows once, whsec_….
  resend: {
    admits: async (headers) => header(headers, 'signature') !== '',
    signed: (headers, body, secrets, now) =>
      isSigned(
        {
          id: header(headers, 'id'),
          timestamp: header(headers, 'timestamp'),
          signatures: header(headers, 'signature'),
          body,
        },
        secrets.flatMap(keyOf),
        now,
      ),
    read: readResendEvent,
  },
  // Postmark signs nothing: the webhook address contains a user and a password.
  postmark: {
    async admits(headers, secrets) {
      const [, given = ''] = /^Basic ([\w+/=]{1,1000})$/i.exec(headers.get('authorization') ?? '') ?? []
      const same = await Promise.all(secrets.map((secret) => isSame(given, btoa(secret))))
      return same.includes(true)
    },
    signed: async () => true,
    read: readPostmarkEvent,
  },
  // Telnyx signs with the account's private key; the setting holds the public key.
  telnyx: {
    admits: async (headers) => headers.has('telnyx-signature-ed25519'),
    signed: (headers, body, publicKeys, now) =>
      isSignedByKey(
        {
          timestamp: headers.get('telnyx-timestamp') ?? '',
          signature: headers.get('telnyx-signature-ed25519') ?? '',
          body,
        },
        publicKeys,
        now,
      ),
    read: readTelnyxEvent,
  },
} as const satisfies Record<string, Source>

export const PROVIDERS = Object.keys(SOURCES) as [keyof typeof SOURCES]

export const sourceOf = (provider: keyof typeof SOURCES): Source => SOURCES[provider]

/** Parses the secrets of a provider: `resend=whsec_… postmark=user:password`, several per provider during rotation. */
export const secretsOf = (setting: string | undefined, provider: string): string[] =>
  (setting ?? '')
    .split(/\s+/)
    .filter((one) => one.startsWith(`${provider}=`) && /^[\x21-\x7e]+$/.test(one))
    .map((one) => one.slice(provider.length + 1))
    .filter((secret) => secret.length >= MIN_SECRET)

// Shorter secrets can be guessed.
const MIN_SECRET = 16
