import { app } from './app'
import { everyMinute } from './cron'
import type { Env } from './env'
import type { OutsideMessage } from './outside'
import { consume } from './people/mail/consumer'

export default {
  fetch: app.fetch,

  queue: (batch, env) =>
    consume(batch, { env, fetch: (input, init) => fetch(input, init), now: Date.now, random: Math.random }),

  scheduled: (_, env) => everyMinute(env, Date.now()),
} satisfies ExportedHandler<Env, OutsideMessage>
