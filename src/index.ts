import { app } from './app'
import { everyMinute } from './cron'
import type { Env } from './env'
import { consume } from './mail/consumer'
import type { OutsideMessage } from './outside'

export default {
  fetch: app.fetch,

  queue: (batch, env) =>
    consume(batch, { env, fetch: (input, init) => fetch(input, init), now: Date.now, random: Math.random }),

  scheduled: (_, env) => everyMinute(env, Date.now()),
} satisfies ExportedHandler<Env, OutsideMessage>
