import type { Env } from '../../env'
import { outbox } from './outbox'
import { postmark } from './postmark'
import type { Message } from './render'
import { resend } from './resend'
import { retryAfter } from './retry'

/** What became of one message. */
export type Outcome =
  | { position: number; status: 'sent'; providerId: string | null }
  | { position: number; status: 'failed'; reason: string }
  /** Not taken, but not the recipient's fault. */
  | { position: number; status: 'later'; reason: string }

export type Answer =
  | { kind: 'settled'; outcomes: Outcome[] }
  /** Refused as a whole, for a fault of one message or more. */
  | { kind: 'rejected'; reason: string }
  | Later

/** Not now. */
export interface Later {
  kind: 'later'
  reason: string
  /** It is not known whether the provider took the messages. */
  unsure: boolean
  /** Milliseconds that the provider asked for. */
  after?: number | undefined
}

export interface Batch {
  /** Names these messages: the same in every attempt to send them. */
  key: string
  /** Names the up to 500 recipients that these messages are among. */
  chunk: string
  /** One or more, and no more than `batchSize`. */
  messages: readonly Message[]
  /** Whether an earlier attempt may have been taken. */
  unsure: boolean
}

/** A mail service. It takes messages in batches, each to one recipient. */
export interface Provider {
  readonly batchSize: number
  /** Milliseconds during which a batch can be sent again under its key without a recipient getting it twice. */
  readonly remembers: number
  send(batch: Batch): Promise<Answer>
}

export interface Outside {
  fetch: typeof fetch
  now(): number
}

export interface Settings extends Outside {
  /** Address of the API, without a slash at the end. */
  baseUrl: string
  apiKey: string
}

const PROVIDERS = {
  outbox: { chunkSize: 500 },
  resend: { chunkSize: 100, baseUrl: 'https://api.resend.com', make: resend },
  postmark: { chunkSize: 500, baseUrl: 'https://api.postmarkapp.com', make: postmark },
} as const

type Name = keyof typeof PROVIDERS

function isName(name: string): name is Name {
  return Object.hasOwn(PROVIDERS, name)
}

type MailEnv = Pick<Env, 'MAIL_PROVIDER' | 'MAIL_BASE_URL' | 'MAIL_API_KEY' | 'MAIL_FROM'>

/** How many recipients one queue message stands for. Fixed when a mailing is accepted. */
export function chunkSize(env: MailEnv): number {
  return isName(env.MAIL_PROVIDER) ? PROVIDERS[env.MAIL_PROVIDER].chunkSize : 100
}

/** The configured provider, or a sentence that says what is wrong with the configuration. */
export function provider(env: MailEnv, outside: Outside): Provider | string {
  const name = env.MAIL_PROVIDER
  if (!isName(name)) {
    return `MAIL_PROVIDER is "${name}". Set it to one of ${Object.keys(PROVIDERS).join(', ')}.`
  }
  if (!/^[^\p{Cc}]*@[^\p{Cc}]+$/u.test(env.MAIL_FROM ?? '')) {
    return 'MAIL_FROM is not an address. Set it to the sender, like Acme <news@acme.example>.'
  }
  if (name === 'outbox') return outbox
  if (!env.MAIL_API_KEY) return `MAIL_API_KEY is not set. Set the secret to your ${name} key.`
  const { make, baseUrl } = PROVIDERS[name]
  const base = env.MAIL_BASE_URL || baseUrl
  if (!URL.canParse(base) || !/^https?:/.test(base)) {
    return `MAIL_BASE_URL is "${base}". Set it to an http(s) address, or leave it empty.`
  }
  return make({ ...outside, baseUrl: base.replace(/\/+$/, ''), apiKey: env.MAIL_API_KEY })
}

// A batch of a provider's largest size takes it a few seconds.
const TIMEOUT = 30_000

/** The status, headers and JSON of an answer, or why there is none. */
export async function ask(
  { fetch, baseUrl }: Settings,
  path: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<{ status: number; headers: Headers; json: unknown } | Later> {
  try {
    // A redirect could lead the key and the addresses elsewhere.
    const response = await fetch(baseUrl + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: parsed(text) }
  } catch (cause) {
    return later(`The provider could not be reached: ${cause instanceof Error ? cause.message : String(cause)}`, true)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function later(reason: string, unsure: boolean, after?: number): Later {
  return { kind: 'later', reason: reason.slice(0, 500), unsure, after }
}

/** What an HTTP status other than success means for a batch. `reason` is the provider's. */
export function refused(status: number, headers: Headers, reason: string, now: number): Answer {
  const after = retryAfter(headers.get('retry-after'), now)
  const said = `${status}: ${reason}`
  if (status === 408 || status >= 500) return later(`The provider answered ${said}`, true, after)
  if (status === 425 || status === 429) return later(`The provider answered ${said}`, false, after)
  if (status === 401 || status === 403) {
    return later(
      `The provider refused the key or the sender (${said}). Check MAIL_API_KEY and MAIL_FROM.`,
      false,
      after,
    )
  }
  if (status < 400 || status === 404 || status === 405) {
    return later(`This is not the provider's API (${said}). Check MAIL_BASE_URL.`, false, after)
  }
  return { kind: 'rejected', reason: reason.slice(0, 500) }
}

/** The key or the sender is at fault, not a recipient: whoever runs this must act, and the mail waits. */
export function misconfigured(reason: string, after?: number): Later {
  return later(
    `The provider refused the key or the sender (${reason}). Check MAIL_API_KEY and MAIL_FROM.`,
    false,
    after,
  )
}
