import { CALLS_AT_ONCE } from '../src/people/mail/providers/limits.ts'

/** Returns a sentence naming a missing or wrong setting in `[env.production.vars]` of wrangler.toml, or undefined. */
export function lacking(vars: Readonly<Record<string, unknown>>): string | undefined {
  if (!vars.MAIL_FROM && vars.MAIL_PROVIDER !== 'outbox') {
    return 'Set MAIL_FROM under [env.production.vars] in wrangler.toml: the address that mail comes from.'
  }
  // Without PUBLIC_URL, links in mail would begin with any host named by a request.
  if (!/^https:\/\/[^/?#]+$/.test(String(vars.PUBLIC_URL))) {
    return (
      'Set PUBLIC_URL under [env.production.vars] in wrangler.toml: where the service is reached from outside, like ' +
      'https://groundwork.example.com, with no slash at the end.'
    )
  }
  for (const name of ['MAILINGS_PER_HOUR', 'WORKSPACE_MAILINGS_PER_HOUR']) {
    if (!/^[1-9]\d*$/.test(String(vars[name]))) {
      return `Set ${name} under [env.production.vars] in wrangler.toml to a number, like "20".`
    }
  }
  const ends = ['WORKSPACE_ROWS_PER_DAY', 'EVENTS_KEPT_DAYS', 'RECIPIENTS_KEPT_DAYS', 'DELIVERIES_KEPT_DAYS']
  for (const name of ends) {
    if (!/^\d{1,12}$/.test(String(vars[name]))) {
      return `Set ${name} under [env.production.vars] in wrangler.toml to a number; "0" is without end.`
    }
  }
  return undefined
}

interface Consumer {
  queue: string
  max_concurrency?: number | null
}

/** Returns a warning if mail goes to the provider with more calls at once than the provider accepts, or undefined. */
export function crowded(provider: string, consumers: readonly Consumer[]): string | undefined {
  const consumer = consumers.find(({ queue }) => queue.endsWith('-mail'))
  const most = CALLS_AT_ONCE[provider] ?? 1
  const now = consumer?.max_concurrency
  if (now && now <= most) return undefined
  return (
    `Up to ${now ?? 250} calls at once go to ${provider}, which takes ${most} unless your account has more. ` +
    'What it refuses for that waits and comes again. max_concurrency in wrangler.toml sets it.'
  )
}
