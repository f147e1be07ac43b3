import type { Settings } from '../../../env'
import type { Connection } from './call'
import { outbox } from './outbox'
import { postmark } from './postmark'
import type { Provider } from './provider'
import { resend } from './resend'
import { telnyx } from './telnyx'

const PROVIDERS = {
  outbox: { chunkSize: 500 },
  resend: { chunkSize: 100, baseUrl: 'https://api.resend.com', make: resend },
  telnyx: { chunkSize: 100, byId: true, baseUrl: 'https://api.telnyx.com/v2', make: telnyx },
  postmark: { chunkSize: 500, baseUrl: 'https://api.postmarkapp.com', make: postmark },
} as const

type Name = keyof typeof PROVIDERS

function isName(name: string): name is Name {
  return Object.hasOwn(PROVIDERS, name)
}

/** Returns the number of recipients per queue message, which is fixed when a mailing is accepted. */
export function chunkSize({ MAIL_PROVIDER }: Pick<Settings, 'MAIL_PROVIDER'>): number {
  return isName(MAIL_PROVIDER) ? PROVIDERS[MAIL_PROVIDER].chunkSize : 100
}

/** Returns whether events of the provider carry only the provider's message id, without a tag. */
export const isKnownById = ({ MAIL_PROVIDER }: Pick<Settings, 'MAIL_PROVIDER'>): boolean =>
  isName(MAIL_PROVIDER) && 'byId' in PROVIDERS[MAIL_PROVIDER]

/** Creates the configured provider, or returns a sentence about the invalid configuration. */
export function provider(
  settings: Pick<Settings, 'MAIL_PROVIDER' | 'MAIL_BASE_URL' | 'MAIL_API_KEY' | 'MAIL_FROM'>,
  { fetch, now }: Pick<Connection, 'fetch' | 'now'>,
): Provider | string {
  const name = settings.MAIL_PROVIDER
  if (!isName(name)) {
    return `MAIL_PROVIDER is "${name}". Set it to one of ${Object.keys(PROVIDERS).join(', ')}.`
  }
  if (!/^[^\p{Cc}]*@[^\p{Cc}]+$/u.test(settings.MAIL_FROM ?? '')) {
    return 'MAIL_FROM is not an address. Set it to the sender, like Acme <news@acme.example>.'
  }
  if (name === 'outbox') return outbox
  if (!settings.MAIL_API_KEY) return `MAIL_API_KEY is not set. Set the secret to your ${name} key.`
  const { make, baseUrl } = PROVIDERS[name]
  const base = settings.MAIL_BASE_URL || baseUrl
  if (!URL.canParse(base) || !/^https?:/.test(base)) {
    return `MAIL_BASE_URL is "${base}". Set it to an http(s) address, or leave it empty.`
  }
  return make({ fetch, now, baseUrl: base.replace(/\/+$/, ''), apiKey: settings.MAIL_API_KEY })
}
