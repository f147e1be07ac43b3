import type { Settings } from '../../../env'
import type { ProviderConnection } from './call'
import { outboxProvider } from './outbox'
import { createPostmarkProvider } from './postmark'
import type { MailProvider } from './provider'
import { createResendProvider } from './resend'
import { createTelnyxProvider } from './telnyx'

const PROVIDER_SETTINGS = {
  outbox: { chunkSize: 500 },
  resend: { chunkSize: 100, baseUrl: 'https://api.resend.com', make: createResendProvider },
  telnyx: { chunkSize: 100, byId: true, baseUrl: 'https://api.telnyx.com/v2', make: createTelnyxProvider },
  postmark: { chunkSize: 500, baseUrl: 'https://api.postmarkapp.com', make: createPostmarkProvider },
} as const

type ProviderName = keyof typeof PROVIDER_SETTINGS

function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDER_SETTINGS, name)
}

export function getChunkSize({ MAIL_PROVIDER }: Pick<Settings, 'MAIL_PROVIDER'>): number {
  return isProviderName(MAIL_PROVIDER) ? PROVIDER_SETTINGS[MAIL_PROVIDER].chunkSize : 100
}

export const hasUntaggedEvents = ({ MAIL_PROVIDER }: Pick<Settings, 'MAIL_PROVIDER'>): boolean =>
  isProviderName(MAIL_PROVIDER) && 'byId' in PROVIDER_SETTINGS[MAIL_PROVIDER]

export function createProvider(
  settings: Pick<Settings, 'MAIL_PROVIDER' | 'MAIL_BASE_URL' | 'MAIL_API_KEY' | 'MAIL_FROM'>,
  { fetch, now }: Pick<ProviderConnection, 'fetch' | 'now'>,
): MailProvider | string {
  const name = settings.MAIL_PROVIDER
  if (!isProviderName(name)) {
    return `MAIL_PROVIDER is "${name}". Use one of ${Object.keys(PROVIDER_SETTINGS).join(', ')}.`
  }
  if (!/^[^\p{Cc}]*@[^\p{Cc}]+$/u.test(settings.MAIL_FROM ?? '')) {
    return 'MAIL_FROM is not an address. Use a sender like Acme <news@acme.example>.'
  }
  if (name === 'outbox') return outboxProvider
  if (!settings.MAIL_API_KEY) return `MAIL_API_KEY is not set. Set the secret to your ${name} key.`
  const { make, baseUrl } = PROVIDER_SETTINGS[name]
  const base = settings.MAIL_BASE_URL || baseUrl
  if (!URL.canParse(base) || !/^https?:/.test(base)) {
    return `MAIL_BASE_URL is "${base}". Use an http(s) address, or leave the setting empty.`
  }
  return make({ fetch, now, baseUrl: base.replace(/\/+$/, ''), apiKey: settings.MAIL_API_KEY })
}
