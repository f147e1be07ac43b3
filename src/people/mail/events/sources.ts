import { isSame, isSigned, isSignedByKey, keyOf } from '../../../http/signed'
import { type EventById, type MailEvent, readPostmarkEvent, readResendEvent, readTelnyxEvent } from './read'

interface Source {
  /** Refuses by its headers alone, before the body is read. */
  admits(headers: Headers, secrets: readonly string[]): Promise<boolean>
  /** Whether the whole of it is the provider's. */
  signed(headers: Headers, body: Uint8Array<ArrayBuffer>, secrets: readonly string[], now: number): Promise<boolean>
  read(json: unknown): MailEvent | EventById | undefined
}

const header = (headers: Headers, name: string) => headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''

/** Who tells what became of messages. Each proves itself with a secret of its own. */
const SOURCES = {
  // Standard Webhooks: the signature is of the body, with the secret that Resend shows once, whsec_….
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
  // Nothing is signed: the address that Postmark is given has a user and a password before the host.
  postmark: {
    async admits(headers, secrets) {
      const [, given = ''] = /^Basic ([\w+/=]{1,1000})$/i.exec(headers.get('authorization') ?? '') ?? []
      const same = await Promise.all(secrets.map((secret) => isSame(given, btoa(secret))))
      return same.includes(true)
    },
    signed: async () => true,
    read: readPostmarkEvent,
  },
  // Signed with the private key of the account, whose public one is no secret but stands where the secrets do.
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

/** The secrets of a provider: `resend=whsec_… postmark=user:password`, several of one while they are rotated. */
export const secretsOf = (setting: string | undefined, provider: string): string[] =>
  (setting ?? '')
    .split(/\s+/)
    .filter((one) => one.startsWith(`${provider}=`) && /^[\x21-\x7e]+$/.test(one))
    .map((one) => one.slice(provider.length + 1))
    .filter((secret) => secret.length >= MIN_SECRET)

// Shorter ones can be guessed.
const MIN_SECRET = 16
