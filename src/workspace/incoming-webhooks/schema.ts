import * as z from 'zod'
import { createListQuery, createRestorableQuery } from '../../http/pagination'
import { integer, line, numberedKeyPattern, severalOf, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { findAttributeNameProblem } from '../../text/attributes'
import { ProductExternalKey } from '../products/schema'
import { ActingKeyId, hasOneKey, KeyIdOfNewWebhook, NewActingKey, ONE_KEY_ISSUE } from '../webhooks/schema'
import { FIELDS_BY_WEBHOOK_ACTION, findMappedAttribute, WEBHOOK_ACTIONS } from './fields'
import { JSON_PATH_PATTERN } from './path'
import { WEBHOOK_PROVIDERS } from './providers'
import { FIELD_BY_MAPPED_NAME } from './sync/fields'

export const MAX_INCOMING_WEBHOOKS = 1_000

export const RECEIPT_STATUSES = ['queued', 'processed', 'ignored', 'failed'] as const

export const IncomingWebhookParams = z.object({
  incomingWebhookId: integer({ min: 1 }).meta({ description: 'Id of the incoming webhook.', example: 1 }),
})

export const ReceiptParams = IncomingWebhookParams.extend({
  receiptId: integer({ min: 1 }).meta({ description: 'Id of the receipt.', example: 1 }),
})

const PayloadMappingSource = text(500).refine(
  (from) => from.startsWith('=') || JSON_PATH_PATTERN.test(from),
  `Must be a path like $.issue.title, $.items[0], $.items[-1], $["a b"] or $.fields[?(@.key=="size")].value, or = and a text`,
)

const payloadMapping = z.record(text(50), PayloadMappingSource).meta({
  description:
    'Source of each field: a path into the payload like `$.issue.labels[0].name`, `$.items[-1]`, `$["a b"]` or `$.fields[?(@.key=="size")].value`, or `=` and a text. The mapping overrides the default mapping of the provider; `generic` has no default mapping. Fields of upsert_work_item: `externalId` (required), `summary`, `description`, `type` (a word like Bug or Epic), `progress`, `externalProgress`, `color`, `businessGoal`, `startDate`, `endDate`, `tags`, `urls`, `jiraKey`, `estimate`, `businessValue`, `storyPoint`, `score`, `parent` (id of the parent in the other system), `assignees` (addresses), and `attributes.` with the name of an attribute. Fields of create_feedback: `title` (required), `externalId` (a later payload with the id changes the idea; without it every payload creates an idea), `type`, `long_description`, `target_audience`, `value_proposition`, `tags`, `email`, `name`. Fields of both: `changedAt` (time of the change, which keeps an older payload from a newer one), `removed` (true removes the record), and of a comment on the record `comment.id`, `comment.text`, `comment.author` (address), `comment.authorName`, `comment.isPrivate`, `comment.parent` (id of the comment that it replies to), `comment.createdAt`, `comment.changedAt`, `comment.removed`. Fields of insert_kpi_records: `value` and `createdAt`, or `records`, a list of both. Field of all: `author` (see `exceptAuthors`).',
})
const actionTarget = z
  .object({
    type: z
      .enum(['epic', 'feature', 'userstory'])
      .optional()
      .meta({ description: 'By default the type of the Jira issue, or else `userstory`.' }),
    source: text(50)
      .regex(/^[a-z0-9][a-z0-9_.-]*$/, 'Must be the name of a system in lowercase letters')
      .optional()
      .meta({ description: 'System of the external ids; by default the provider, or `webhook` for `generic`.' }),
    kpi: text(30).regex(numberedKeyPattern('KPI'), 'Must be the key of a KPI, like KPI-1').optional(),
  })
  .meta({ description: 'Target of the action: `type` of work items, or `kpi` of records.' })

interface WebhookActionInput {
  provider?: (typeof WEBHOOK_PROVIDERS)[number]
  action: (typeof WEBHOOK_ACTIONS)[number]
  mapping: Record<string, string>
  target: z.output<typeof actionTarget>
}

export function findMissingMappingField({
  action,
  mapping,
}: Pick<WebhookActionInput, 'action' | 'mapping'>): string | undefined {
  const needed = {
    upsert_work_item: ['externalId'],
    create_feedback: ['title'],
    insert_kpi_records: ['value', 'records'],
  }
  return needed[action].some((name) => Object.hasOwn(mapping, name)) ? undefined : needed[action][0]
}

export const SYNC_RULES_MESSAGE =
  'The provider groundwork has the action upsert_work_item, no target.type, and a mapping that only turns fields off with ='

/** Whether a webhook of another workspace can have the mapping, the action and the target. */
export const isSyncAction = ({ action, mapping, target }: Omit<WebhookActionInput, 'provider'>): boolean =>
  action === 'upsert_work_item' &&
  target.type === undefined &&
  Object.entries(mapping).every(([name, from]) => from === '=' && name !== 'summary' && FIELD_BY_MAPPED_NAME.has(name))

export const FIELD_UNMAPPED_MESSAGE = 'Must have a path into the payload, or = and a text'

function checkActionMapping({ provider, action, mapping, target }: WebhookActionInput, context: z.RefinementCtx): void {
  const fields = FIELDS_BY_WEBHOOK_ACTION[action]
  const issue = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
  for (const name of Object.keys(mapping)) {
    if (Object.hasOwn(fields, name)) continue
    const attribute = findMappedAttribute(action, name)
    const problem = attribute === undefined ? undefined : findAttributeNameProblem(attribute)
    if (problem) issue(problem, 'mapping', name)
    if (attribute !== undefined) continue
    issue(`${action} does not have this field. The fields are: ${Object.keys(fields).join(', ')}.`, 'mapping', name)
  }
  if (provider === 'groundwork' && !isSyncAction({ action, mapping, target })) issue(SYNC_RULES_MESSAGE, 'mapping')
  const missing = findMissingMappingField({ action, mapping })
  const ofRecords = action === 'insert_kpi_records'
  if (missing && (ofRecords || provider === 'generic')) issue(FIELD_UNMAPPED_MESSAGE, 'mapping', missing)
  if (ofRecords && !target.kpi) issue('Must name the KPI', 'target', 'kpi')
}

const MAX_EXCEPTED_AUTHORS = 100

const exceptedAuthors = z.array(line(200)).max(MAX_EXCEPTED_AUTHORS).meta({
  description:
    'Accounts of the sender whose events are left out, like the account through which you write changes back: login or id of GitHub, username, address or id of GitLab, account id, address or name of Jira, id of the API key or the user in deliveries of this service, or the value of `author` in `mapping`.',
})

const senderSecret = line(200).min(8, 'Must have at least 8 characters').optional()

export const CreateIncomingWebhook = z
  .object({
    provider: z.enum(WEBHOOK_PROVIDERS),
    product: ProductExternalKey.meta({ description: 'External key of the product.' }),
    action: z.enum(WEBHOOK_ACTIONS),
    mapping: payloadMapping.default({}),
    target: actionTarget.default({}),
    exceptAuthors: exceptedAuthors.optional(),
    apiKeyId: ActingKeyId,
    apiKey: NewActingKey,
    secret: senderSecret.meta({
      description:
        'Secret for signatures of the sender. Generated by default, except for `generic`: without a secret, anybody with the URL can send.',
    }),
  })
  .superRefine(checkActionMapping)
  .refine(hasOneKey, ONE_KEY_ISSUE)
  .meta({
    id: 'CreateIncomingWebhook',
    examples: [{ provider: 'github', product: 'GW-DEMO', action: 'upsert_work_item', target: { type: 'userstory' } }],
  })

export const ModifyIncomingWebhook = z
  .object({
    action: z.enum(WEBHOOK_ACTIONS),
    mapping: payloadMapping.default({}),
    target: actionTarget.default({}),
    exceptAuthors: exceptedAuthors.optional(),
    apiKeyId: ActingKeyId,
  })
  .superRefine(checkActionMapping)
  .meta({
    id: 'ModifyIncomingWebhook',
    examples: [
      {
        action: 'create_feedback',
        mapping: { title: '$.issue.title', long_description: '$.issue.body', tags: '=imported' },
      },
    ],
  })

export const RotateIncomingWebhook = z
  .object({
    secret: senderSecret.meta({ description: 'New secret for signatures of the sender. Generated by default.' }),
  })
  .optional()
  .meta({ id: 'RotateIncomingWebhook', examples: [{}] })

export const ListIncomingWebhooks = createRestorableQuery(['-createdAt', 'createdAt'])
export const ListReceipts = createListQuery(['-createdAt', 'createdAt']).extend({
  status: declareWeight(
    'walk',
    severalOf(z.enum(RECEIPT_STATUSES)).optional().meta({
      description:
        'Only receipts with this status, or with any of several separated by commas. Looks at 10,000 receipts per page: a page can be short or empty and still have a next page.',
    }),
  ),
})

export const IncomingWebhook = z
  .object({
    id: z.int(),
    provider: z.enum(WEBHOOK_PROVIDERS),
    product: z.string(),
    action: z.enum(WEBHOOK_ACTIONS),
    mapping: z.record(z.string(), z.string()),
    target: actionTarget,
    exceptAuthors: z.array(z.string()),
    url: z.string().meta({
      description:
        'URL that the sender posts to, shown once and masked from then on: without a secret, anybody with the URL can send.',
      examples: ['https://groundwork.example.com/api/hooks/1-••••'],
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'IncomingWebhook', description: 'A URL that another system sends to.' })

export const NewIncomingWebhook = IncomingWebhook.extend({
  apiKeyId: KeyIdOfNewWebhook,
  url: z.string().meta({ description: 'URL that the sender posts to. The full URL is shown once.' }),
  secret: z.string().nullable().meta({ description: 'Secret for signatures of the sender. Shown once.' }),
}).meta({ id: 'NewIncomingWebhook', description: 'An incoming webhook, with its URL and its secret.' })

export const TestIncomingWebhook = z
  .object({ payload: z.unknown().meta({ description: 'JSON that the sender would post.' }) })
  .meta({
    id: 'TestIncomingWebhook',
    examples: [{ payload: { action: 'opened', issue: { id: 1, title: 'Spelling error', state: 'open' } } }],
  })

export const TestedIncomingWebhook = z
  .object({
    action: z.enum(WEBHOOK_ACTIONS),
    outcome: z.enum(['processed', 'ignored', 'failed']).meta({ description: 'Expected status of the receipt.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason for `ignored` or `failed`, or what a delivery looks up or removes.' }),
    request: z
      .object({ method: z.string(), path: z.string(), body: z.unknown() })
      .nullable()
      .meta({ description: 'Request to this API that the webhook would send with its API key.' }),
    comment: z
      .object({ id: z.string(), removed: z.boolean(), body: z.unknown() })
      .nullable()
      .meta({ description: 'Comment that the webhook would save or remove, by its id in the other system.' }),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).meta({
      description: 'Refused fields of the request. A delivery leaves out refused fields that you did not map.',
    }),
  })
  .meta({ id: 'TestedIncomingWebhook', description: 'Effect of a payload.' })

export const Receipt = z
  .object({
    id: z.int(),
    deliveryId: z.string().meta({ description: 'Id from the sender, or a random id.' }),
    status: z.enum(RECEIPT_STATUSES),
    outcome: z.string().nullable().meta({ description: 'Result, like `IDEA-1: Feedback item saved`.' }),
    error: z.string().nullable(),
    replayable: z.boolean().meta({ description: 'Whether the payload is stored for another attempt.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Receipt', description: 'A delivery to an incoming webhook.' })
