import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { countedKey, integer, line, Timestamp, text } from '../../http/schemas'
import { weighs } from '../../http/weight'
import { ExternalKey } from '../products/schema'
import { JSON_PATH } from './path'
import { ACTIONS, FIELDS } from './plan'
import { PROVIDERS } from './providers'

export const MAX_INCOMING_WEBHOOKS = 1_000

export const RECEIPT_STATUSES = ['queued', 'processed', 'ignored', 'failed'] as const

export const IncomingWebhookParams = z.object({
  incomingWebhookId: integer({ min: 1 }).meta({ description: 'Id of the incoming webhook.', example: 1 }),
})

const From = text(500).refine(
  (from) => from.startsWith('=') || JSON_PATH.test(from),
  "Must be a path like $.issue.title, $.items[0] or $['a b'], or = and a text",
)

const mapping = z.record(text(50), From).meta({
  description:
    'Field → where in the payload: a path of members and places like `$.issue.labels[0].name`, or `=` and a text. It goes before what is known of the provider; `generic` has nothing but this. Fields of upsert_work_item: `externalId` (required), `summary`, `description`, `progress`, `externalProgress`, `color`, `businessGoal`, `startDate`, `endDate`, `tags`, `urls`, `jiraKey`, `estimate`, `businessValue`, `storyPoint`, `score`. Of create_feedback: `title` (required), `type`, `long_description`, `target_audience`, `value_proposition`, `tags`, `email`, `name`. Of insert_kpi_records: `value` and `createdAt`, or `records`, a list of both.',
})
const target = z
  .object({
    type: z.enum(['epic', 'feature', 'userstory']).optional().meta({ description: '`userstory` when absent.' }),
    source: text(50)
      .regex(/^[a-z0-9][a-z0-9_.-]*$/, 'Must be the name of a system in small letters')
      .optional()
      .meta({ description: 'Whose ids they are: the provider when absent, `webhook` of a generic one.' }),
    kpi: text(30).regex(countedKey('KPI'), 'Must be the key of a KPI, like KPI-1').optional(),
  })
  .meta({ description: 'What is made of it: `type` of work items, `kpi` whose records they are.' })

interface Told {
  provider?: (typeof PROVIDERS)[number]
  action: (typeof ACTIONS)[number]
  mapping: Record<string, string>
  target: z.output<typeof target>
}

/** Finds a required field missing from the mapping, for senders without a default mapping. */
export function lacking({ action, mapping }: Pick<Told, 'action' | 'mapping'>): string | undefined {
  const needed = {
    upsert_work_item: ['externalId'],
    create_feedback: ['title'],
    insert_kpi_records: ['value', 'records'],
  }
  return needed[action].some((name) => Object.hasOwn(mapping, name)) ? undefined : needed[action][0]
}

export const UNMAPPED = 'Must say where in the payload it is'

function check({ provider, action, mapping, target }: Told, context: z.RefinementCtx): void {
  const fields = FIELDS[action]
  const issue = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message })
  for (const name of Object.keys(mapping)) {
    if (Object.hasOwn(fields, name)) continue
    issue(`${action} has no such field. Its fields are: ${Object.keys(fields).join(', ')}.`, 'mapping', name)
  }
  const missing = lacking({ action, mapping })
  const ofRecords = action === 'insert_kpi_records'
  if (missing && (ofRecords || provider === 'generic')) issue(UNMAPPED, 'mapping', missing)
  if (ofRecords && !target.kpi) issue('Must name the KPI', 'target', 'kpi')
}

const secret = line(200).min(8, 'Must have 8 characters or more').optional()

export const CreateIncomingWebhook = z
  .object({
    provider: z.enum(PROVIDERS),
    product: ExternalKey.meta({ description: 'External key of the product.' }),
    action: z.enum(ACTIONS),
    mapping: mapping.default({}),
    target: target.default({}),
    secret: secret.meta({
      description:
        'What its sender signs with. Made when absent, but for `generic`: without one, whoever knows the URL may send.',
    }),
  })
  .superRefine(check)
  .meta({
    id: 'CreateIncomingWebhook',
    examples: [{ provider: 'github', product: 'GW-DEMO', action: 'upsert_work_item', target: { type: 'userstory' } }],
  })

/** A modify replaces action, mapping and target together. */
export const ModifyIncomingWebhook = z
  .object({ action: z.enum(ACTIONS), mapping: mapping.default({}), target: target.default({}) })
  .superRefine(check)
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
  .object({ secret: secret.meta({ description: 'What its sender will sign with. Made when absent.' }) })
  .optional()
  .meta({ id: 'RotateIncomingWebhook', examples: [{}] })

export const ListIncomingWebhooks = listQuery(['-createdAt', 'createdAt'])
export const ListReceipts = listQuery(['-createdAt', 'createdAt']).extend({
  status: weighs(
    'walk',
    z.enum(RECEIPT_STATUSES).optional().meta({ description: 'Only those. Walks the receipts, 10,000 a page at most.' }),
  ),
})

export const IncomingWebhook = z
  .object({
    id: z.int(),
    provider: z.enum(PROVIDERS),
    product: z.string(),
    action: z.enum(ACTIONS),
    mapping: z.record(z.string(), z.string()),
    target,
    url: z.string().meta({
      description:
        'Where its sender posts to. Whoever knows it may, where nothing is signed: so it is shown whole once, and masked from then on.',
      examples: ['https://groundwork.example.com/api/hooks/1-••••'],
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'IncomingWebhook', description: 'An address that another system sends to.' })

export const NewIncomingWebhook = IncomingWebhook.extend({
  url: z.string().meta({ description: 'Where its sender posts to. Shown whole this once.' }),
  secret: z.string().nullable().meta({ description: 'What its sender signs with. Shown once.' }),
}).meta({ id: 'NewIncomingWebhook', description: 'An incoming webhook, with its URL and its secret.' })

export const TestIncomingWebhook = z
  .object({ payload: z.unknown().meta({ description: 'As the sender would post it.' }) })
  .meta({
    id: 'TestIncomingWebhook',
    examples: [{ payload: { action: 'opened', issue: { id: 1, title: 'Spelling error', state: 'open' } } }],
  })

export const TestedIncomingWebhook = z
  .object({
    action: z.enum(ACTIONS),
    outcome: z.enum(['processed', 'ignored', 'failed']).meta({ description: 'What would come of it.' }),
    reason: z.string().nullable().meta({ description: 'Why it would be ignored or fail.' }),
    request: z
      .object({ method: z.string(), path: z.string(), body: z.unknown() })
      .nullable()
      .meta({ description: 'The request of this API that would be made, with the key of the webhook.' }),
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
  })
  .meta({ id: 'TestedIncomingWebhook', description: 'What a payload would do.' })

export const Receipt = z
  .object({
    id: z.int(),
    deliveryId: z.string().meta({ description: 'As its sender names it.' }),
    status: z.enum(RECEIPT_STATUSES),
    outcome: z.string().nullable().meta({ description: 'What came of it, like `EP-1 saved`.' }),
    error: z.string().nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'Receipt', description: 'What came to an incoming webhook, once.' })
