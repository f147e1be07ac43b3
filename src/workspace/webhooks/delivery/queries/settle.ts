import { sql } from 'drizzle-orm'
import { updateWhere } from '../../../../db/records/change'
import { users } from '../../../../db/schema/tenancy'
import { webhookDeliveries, webhooks } from '../../../../db/schema/webhooks'
import {
  caller,
  inline,
  makeIdListSql,
  param,
  type Statement,
  statement,
  type Values,
} from '../../../../db/sql/statement'
import { createMailStatements, type NewMailing } from '../../../../people/mail/statements'
import type { DeliveryAttempt } from '../../schema'
import { webhook } from '../../statements'
import { endpointIsDelivering, isBoundEndpoint, isDeliveryOfBoundEndpoint } from './claim'

export interface AttemptOutcome {
  eventId: number
  status: 'pending' | 'delivered' | 'failed'
  nextAttemptAt: number
  /** Null if no request was sent: the delivery goes out with the next run. */
  attempt: DeliveryAttempt | null
}

const outcomeValue = (field: string) => sql`(o.value ->> ${inline(field)})`
const attemptJson = sql`(o.value -> 'attempt')`
const MAX_STORED_ATTEMPTS = inline(20)

const { list: outcomeList, named: isInOutcomeList } = makeIdListSql('outcomes', 'eventId', webhookDeliveries.eventId)

const updateDeliveryOutcomes = statement<
  never,
  Values
>(sql`${outcomeList} UPDATE ${webhookDeliveries} SET status = ${outcomeValue('status')},
    next_attempt_at = ${outcomeValue('nextAttemptAt')}, claim = NULL, version = version + 1,
    tries = tries + (${attemptJson} <> 'null'),
    attempts = CASE WHEN ${attemptJson} = 'null' THEN attempts
      WHEN json_array_length(attempts) < ${MAX_STORED_ATTEMPTS} THEN json_insert(attempts, '$[#]', json(${attemptJson}))
      ELSE json_insert(json_remove(attempts, '$[0]'), '$[#]', json(${attemptJson})) END
  FROM o WHERE ${isDeliveryOfBoundEndpoint} AND ${isInOutcomeList}
    AND ${webhookDeliveries.status} = 'pending' AND ${webhookDeliveries.claim} = ${param('claim')}`)

const updateEndpointFailures = statement<never, Values>(sql`UPDATE ${webhooks} SET
    failures = CASE WHEN ${param('succeeded')} THEN 0 ELSE ${webhooks.failures} END + ${param('failed')},
    failing_since = CASE WHEN ${param('failed')} = 0 THEN NULL WHEN ${param('succeeded')} THEN ${caller.now}
      ELSE coalesce(${webhooks.failingSince}, ${caller.now}) END,
    last_error = CASE WHEN ${param('failed')} = 0 THEN NULL ELSE ${param('error')} END,
    version = version + 1, updated_at = ${caller.now}
  WHERE ${isBoundEndpoint} AND (${param('failed')} > 0 OR (${param('succeeded')} AND ${webhooks.failures} > 0))`)

/** The order of the attempts matters, because a success resets the failures. */
export interface DeliveryRoundSummary {
  succeeded: boolean
  failed: number
  error: string | null
}

export const buildSettleStatements = (
  webhookId: number,
  claim: string,
  outcomes: readonly AttemptOutcome[],
  tally: DeliveryRoundSummary,
) => [
  updateDeliveryOutcomes({ webhookId, claim, outcomes: JSON.stringify(outcomes) }),
  updateEndpointFailures({ webhookId, ...tally }),
]

const boundEndpointIsActive = sql`EXISTS (SELECT 1 FROM ${webhooks} WHERE ${isBoundEndpoint} AND ${endpointIsDelivering})`

const mailWorkspaceOwners = createMailStatements<Values>(
  'notice',
  sql`SELECT ${users.id} AS "userId", NULL AS "variables" FROM ${users} INDEXED BY users_owners
    WHERE ${users.subscriptionId} = ${caller.subscription} AND ${users.role} = 'owner' AND ${users.deletedAt} IS NULL
      AND ${boundEndpointIsActive}`,
)
const markWebhookDisabled = updateWhere(
  webhook,
  sql`${webhook.byKey} AND ${endpointIsDelivering}`,
  { status: sql`'disabled'` },
  { happening: 'disabled' },
)

/** The mail comes first, because the mail requires an active endpoint. */
export const buildDisableStatements = (webhookId: number, notice: NewMailing): Statement<never>[] => [
  ...mailWorkspaceOwners(notice, { webhookId }),
  ...markWebhookDisabled({ webhookId }),
]
