import { app } from './app'
import { depsOf } from './background'
import { everyMinute } from './cron'
import type { Env } from './env'
import type { QueueMessage } from './messages'
import { consume } from './queue'

export default {
  fetch: app.fetch,
  queue: (batch, env, context) => consume(batch, depsOf(env, context)),
  scheduled: (_, env, context) => everyMinute(depsOf(env, context)),
} satisfies ExportedHandler<Env, QueueMessage>
