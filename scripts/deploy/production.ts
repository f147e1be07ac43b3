import { MAX_CONCURRENT_CALLS_BY_PROVIDER } from '../../src/people/mail/providers/limits.ts'

export const DEPLOYED_ENVIRONMENTS = ['production', 'staging'] as const
export type DeployedEnvironment = (typeof DEPLOYED_ENVIRONMENTS)[number]

const ORIGIN_PATTERN = /^https:\/\/[^/?#]+$/

export interface MissingSetting {
  name: string
  remedy: string
}

export function findMissingSettings(
  vars: Readonly<Record<string, unknown>>,
  env: DeployedEnvironment,
): MissingSetting[] {
  const where = `under [env.${env}.vars] in wrangler.toml`
  const missing: MissingSetting[] = []
  const add = (name: string, rest: string) => missing.push({ name, remedy: `Set ${name} ${where} to ${rest}` })
  if (!vars.MAIL_FROM && vars.MAIL_PROVIDER !== 'outbox') {
    add('MAIL_FROM', 'the sender of mail, like "Groundwork <hello@example.com>".')
  }
  // Without PUBLIC_URL, links in mail would begin with any host named by a request.
  if (!ORIGIN_PATTERN.test(String(vars.PUBLIC_URL))) {
    add(
      'PUBLIC_URL',
      'the public address of the service, like https://groundwork.example.com, with no slash at the end.',
    )
  }
  const { PORTAL_ORIGIN: portalOrigin = '' } = vars
  if (portalOrigin !== '' && (!ORIGIN_PATTERN.test(String(portalOrigin)) || portalOrigin === vars.PUBLIC_URL)) {
    add('PORTAL_ORIGIN', 'the address of portals at a second host, like https://portals.example.net, or to "".')
  }
  for (const name of ['MAILINGS_PER_HOUR', 'WORKSPACE_MAILINGS_PER_HOUR']) {
    if (!/^[1-9]\d*$/.test(String(vars[name]))) add(name, 'a number, like "20".')
  }
  if (!/^\d{1,5}$/.test(String(vars.NOTICE_DELAY_MINUTES))) {
    add('NOTICE_DELAY_MINUTES', 'a number of minutes, like "60".')
  }
  if (vars.IDEA_URL && !/^https?:\/\/.*\{(?:key|slug)\}/.test(String(vars.IDEA_URL))) {
    add('IDEA_URL', 'the address of an idea, like "https://ideas.example.com/{key}", or to "" for no link.')
  }
  const ends = [
    'WORKSPACE_ROWS_PER_DAY',
    'WORKSPACE_BYTES',
    'DATABASE_BYTES',
    'EVENTS_KEPT_DAYS',
    'RECIPIENTS_KEPT_DAYS',
    'DELIVERIES_KEPT_DAYS',
  ]
  for (const name of ends) {
    if (!/^\d{1,12}$/.test(String(vars[name]))) add(name, 'a number; "0" means no limit.')
  }
  return missing
}

interface QueueConsumer {
  queue: string
  max_concurrency?: number | null
}

export function findConcurrencyWarning(provider: string, consumers: readonly QueueConsumer[]): string | undefined {
  const consumer = consumers.find(({ queue }) => queue.endsWith('-mail'))
  const most = MAX_CONCURRENT_CALLS_BY_PROVIDER[provider] ?? 1
  const now = consumer?.max_concurrency
  if (now && now <= most) return undefined
  return (
    `Up to ${now ?? 250} calls at once go to ${provider}, which accepts ${most} unless your account allows more. ` +
    'The provider refuses further calls, and the service retries them later. Change max_concurrency in wrangler.toml.'
  )
}
