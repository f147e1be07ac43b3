import { app } from './app'
import { depsOf } from './background'
import { everyMinute } from './cron'
import type { Env } from './env'
import type { QueueMessage } from './messages'
import { consume } from './queue'

export default {
  fetch: app.fetch,
  queue: (batch, env) => consume(batch, depsOf(env)),
  scheduled: (_, env) => everyMinute(depsOf(env)),
} satisfies ExportedHandler<Env, QueueMessage>
