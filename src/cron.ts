import { forgetAnswers } from './db/answer'
import { openStore } from './db/client'
import type { Env } from './env'
import { wakeDue } from './people/mail/wake'

/** What happens every minute. One part's failure does not keep the others from their work. */
export async function everyMinute(env: Env, now: number): Promise<void> {
  const store = openStore(env.DB, now)
  const results = await Promise.allSettled([wakeDue(store, env.OUTSIDE), store.batch(null, forgetAnswers({}))])
  for (const result of results) {
    if (result.status === 'rejected')
      console.error('A part of the cron run failed; the next one repeats it.', result.reason)
  }
}
