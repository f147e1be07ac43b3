import { sql } from 'drizzle-orm'
import { changes } from '../../../../db/change'
import { users } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../../db/schema/webhooks'
import { caller, inline, listedBy, param, type Statement, statement, type Values } from '../../../../db/statement'
import { mails, type NewMailing } from '../../../../people/mail/statements'
import type { Attempt } from '../../schema'
import { webhook } from '../../statements'
import { delivers, ofThisEndpoint, thisEndpoint } from './claim'

export interface Outcome {
  eventId: number
  status: 'pending' | 'delivered' | 'failed'
  nextAttemptAt: number
  /** Null if no request was sent: the delivery goes out with the next run. */
  attempt: Attempt | null
}

const given = (field: string) => sql`(o.value ->> ${inline(field)})`
const attempt = sql`(o.value -> 'attempt')`
const MAX_ATTEMPTS = inline(20)

const { list, named } = listedBy('outcomes', 'eventId', webhookDeliveries.eventId)

const record = statement<never, Values>(sql`${list} UPDATE ${webhookDeliveries} SET status = ${given('status')},
    next_attempt_at = ${given('nextAttemptAt')}, claim = NULL, version = version + 1,
    tries = tries + (${attempt} <> 'null'),
    attempts = CASE WHEN ${attempt} = 'null' THEN attempts
      WHEN json_array_length(attempts) < ${MAX_ATTEMPTS} THEN json_insert(attempts, '$[#]', json(${attempt}))
      ELSE json_insert(json_remove(attempts, '$[0]'), '$[#]', json(${attempt})) END
  FROM o WHERE ${ofThisEndpoint} AND ${named}
    AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.claim} = ${param('claim')}`)

// An endpoint without earlier or new failures is not written.
const note = statement<never, Values>(sql`UPDATE ${webhooks} SET
    failures = CASE WHEN ${param('succeeded')} THEN 0 ELSE ${webhooks.failures} END + ${param('failed')},
    failing_since = CASE WHEN ${param('failed')} = 0 THEN NULL WHEN ${param('succeeded')} THEN ${caller.now}
      ELSE coalesce(${webhooks.failingSince}, ${caller.now}) END,
    last_error = CASE WHEN ${param('failed')} = 0 THEN NULL ELSE ${param('error')} END,
    version = version + 1, updated_at = ${caller.now}
  WHERE ${thisEndpoint} AND (${param('failed')} > 0 OR (${param('succeeded')} AND ${webhooks.failures} > 0))`)

/** Summary of a round. The order of the attempts matters, because a success resets the failures. */
export interface Tally {
  succeeded: boolean
  /** Failures since the last success. */
  failed: number
  error: string | null
}

export const settles = (webhookId: number, claim: string, outcomes: readonly Outcome[], tally: Tally) => [
  record({ webhookId, claim, outcomes: JSON.stringify(outcomes) }),
  note({ webhookId, ...tally }),
]

const isActive = sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${thisEndpoint} AND ${delivers})`

const toOwners = mails<Values>(
  'notice',
  sql`SELECT ${users.id} AS "userId", NULL AS "variables" FROM ${users} INDEXED BY users_owners
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.role} = 'owner' AND ${users.deletedAt} IS NULL
      AND ${isActive}`,
)
const disabling = changes(
  webhook,
  sql`${webhook.addressed} AND ${delivers}`,
  { status: sql`'disabled'` },
  { happening: 'disabled' },
)

/**
 * Disables an active endpoint, emits the event and mails the owners. The mail comes first, because the mail requires an
 * active endpoint.
 */
export const disables = (webhookId: number, letter: NewMailing): Statement<never>[] => [
  ...toOwners(letter, { webhookId }),
  ...disabling({ webhookId }),
]
