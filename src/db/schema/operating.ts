import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const deadLetters = sqliteTable(
  'dead_letters',
  {
    id: integer().primaryKey(),
    subscriptionId: integer('subscription_id').notNull(),
    message: text().notNull(),
    failedAt: integer('failed_at').notNull(),
    replayAt: integer('replay_at'),
  },
  (t) => [
    index('dead_letters_workspace').on(t.subscriptionId, t.failedAt),
    index('dead_letters_failed').on(t.failedAt),
    index('dead_letters_replay').on(t.replayAt).where(sql`replay_at IS NOT NULL`),
  ],
)

/** One row. */
export const cronRuns = sqliteTable('cron_runs', {
  id: integer().primaryKey(),
  ranAt: integer('ran_at').notNull(),
  ms: integer().notNull(),
  slowestJob: text('slowest_job').notNull(),
  slowestMs: integer('slowest_ms').notNull(),
  failedJobs: integer('failed_jobs').notNull(),
})
