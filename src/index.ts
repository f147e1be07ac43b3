import { app } from './app'
import { createDeps } from './background'
import { runCronJobs } from './cron'
import type { Env } from './env'
import type { QueueMessage } from './messages'
import { consume } from './queue'

export default {
  fetch: app.fetch,
  queue: (batch, env, context) => consume(batch, createDeps(env, context)),
  scheduled: (_, env, context) => runCronJobs(createDeps(env, context)),
} satisfies ExportedHandler<Env, QueueMessage>
