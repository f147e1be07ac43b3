import type { Settings } from '../../../env'
import type { Connection } from './call'
import { outbox } from './outbox'
import { createPostmark } from './postmark'
import type { MailProvider } from './provider'
import { createResend } from './resend'
import { createTelnyx } from './telnyx'

const PROVIDERS = {
  outbox: { chunkSize: 500 },
  resend: { chunkSize: 100, baseUrl: 'https://api.resend.com', make: createResend },
  telnyx: { chunkSize: 100, byId: true, baseUrl: 'https://api.telnyx.com/v2', make: createTelnyx },
  postmark: { chunkSize: 500, baseUrl: 'https://api.postmarkapp.com', make: createPostmark },
} as const

type ProviderName = keyof typeof PROVIDERS

function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name)
}

export function chunkSizeOf({ MAIL_PROVIDER }: Pick<Settings, 'MAIL_PROVIDER'>): number {
  return isProviderName(MAIL_PROVIDER) ? PROVIDERS[MAIL_PROVIDER].chunkSize : 100
}

export const hasUntaggedEvents = ({ MAIL_PROVIDER }: Pick<Settings, 'MAIL_PROVIDER'>): boolean =>
  isProviderName(MAIL_PROVIDER) && 'byId' in PROVIDERS[MAIL_PROVIDER]

export function createProvider(
  settings: Pick<Settings, 'MAIL_PROVIDER' | 'MAIL_BASE_URL' | 'MAIL_API_KEY' | 'MAIL_FROM'>,
  { fetch, now }: Pick<Connection, 'fetch' | 'now'>,
): MailProvider | string {
  const name = settings.MAIL_PROVIDER
  if (!isProviderName(name)) {
    return `MAIL_PROVIDER is "${name}". Use one of ${Object.keys(PROVIDERS).join(', ')}.`
  }
  if (!/^[^\p{Cc}]*@[^\p{Cc}]+$/u.test(settings.MAIL_FROM ?? '')) {
    return 'MAIL_FROM is not an address. Use a sender like Acme <news@acme.example>.'
  }
  if (name === 'outbox') return outbox
  if (!settings.MAIL_API_KEY) return `MAIL_API_KEY is not set. Set the secret to your ${name} key.`
  const { make, baseUrl } = PROVIDERS[name]
  const base = settings.MAIL_BASE_URL || baseUrl
  if (!URL.canParse(base) || !/^https?:/.test(base)) {
    return `MAIL_BASE_URL is "${base}". Use an http(s) address, or leave the setting empty.`
  }
  return make({ fetch, now, baseUrl: base.replace(/\/+$/, ''), apiKey: settings.MAIL_API_KEY })
}
