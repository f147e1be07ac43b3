import { sql } from 'drizzle-orm'
import { updateWhere } from '../../../../db/records/change'
import { users } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../../db/schema/webhooks'
import { caller, inline, param, rowsById, type Statement, statement, type Values } from '../../../../db/sql/statement'
import { createMailStatements, type NewMailing } from '../../../../people/mail/statements'
import type { Attempt } from '../../schema'
import { webhook } from '../../statements'
import { isDelivering, isOfThisEndpoint, isThisEndpoint } from './claim'

export interface AttemptOutcome {
  eventId: number
  status: 'pending' | 'delivered' | 'failed'
  nextAttemptAt: number
  /** Null if no request was sent: the delivery goes out with the next run. */
  attempt: Attempt | null
}

const outcomeValue = (field: string) => sql`(o.value ->> ${inline(field)})`
const attemptJson = sql`(o.value -> 'attempt')`
const MAX_ATTEMPTS = inline(20)

const { list, named } = rowsById('outcomes', 'eventId', webhookDeliveries.eventId)

const recordOutcomes = statement<
  never,
  Values
>(sql`${list} UPDATE ${webhookDeliveries} SET status = ${outcomeValue('status')},
    next_attempt_at = ${outcomeValue('nextAttemptAt')}, claim = NULL, version = version + 1,
    tries = tries + (${attemptJson} <> 'null'),
    attempts = CASE WHEN ${attemptJson} = 'null' THEN attempts
      WHEN json_array_length(attempts) < ${MAX_ATTEMPTS} THEN json_insert(attempts, '$[#]', json(${attemptJson}))
      ELSE json_insert(json_remove(attempts, '$[0]'), '$[#]', json(${attemptJson})) END
  FROM o WHERE ${isOfThisEndpoint} AND ${named}
    AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.claim} = ${param('claim')}`)

const updateFailures = statement<never, Values>(sql`UPDATE ${webhooks} SET
    failures = CASE WHEN ${param('succeeded')} THEN 0 ELSE ${webhooks.failures} END + ${param('failed')},
    failing_since = CASE WHEN ${param('failed')} = 0 THEN NULL WHEN ${param('succeeded')} THEN ${caller.now}
      ELSE coalesce(${webhooks.failingSince}, ${caller.now}) END,
    last_error = CASE WHEN ${param('failed')} = 0 THEN NULL ELSE ${param('error')} END,
    version = version + 1, updated_at = ${caller.now}
  WHERE ${isThisEndpoint} AND (${param('failed')} > 0 OR (${param('succeeded')} AND ${webhooks.failures} > 0))`)

/** The order of the attempts matters, because a success resets the failures. */
export interface RoundSummary {
  succeeded: boolean
  failed: number
  error: string | null
}

export const settleDeliveries = (
  webhookId: number,
  claim: string,
  outcomes: readonly AttemptOutcome[],
  tally: RoundSummary,
) => [recordOutcomes({ webhookId, claim, outcomes: JSON.stringify(outcomes) }), updateFailures({ webhookId, ...tally })]

const isActive = sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${isThisEndpoint} AND ${isDelivering})`

const mailOwners = createMailStatements<Values>(
  'notice',
  sql`SELECT ${users.id} AS "userId", NULL AS "variables" FROM ${users} INDEXED BY users_owners
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.role} = 'owner' AND ${users.deletedAt} IS NULL
      AND ${isActive}`,
)
const disableWebhook = updateWhere(
  webhook,
  sql`${webhook.byKey} AND ${isDelivering}`,
  { status: sql`'disabled'` },
  { happening: 'disabled' },
)

/** The mail comes first, because the mail requires an active endpoint. */
export const disableEndpoint = (webhookId: number, notice: NewMailing): Statement<never>[] => [
  ...mailOwners(notice, { webhookId }),
  ...disableWebhook({ webhookId }),
]
