import { app } from './app'
import { createBackgroundDeps } from './background'
import { startCronJobs } from './cron'
import type { Env } from './env'
import type { QueueMessage } from './messages'
import { handleQueueBatch } from './queue'

export default {
  fetch: app.fetch,
  queue: (batch, env, context) => handleQueueBatch(batch, createBackgroundDeps(env, context)),
  scheduled: (_, env, context) => startCronJobs(env, context),
} satisfies ExportedHandler<Env, QueueMessage>
