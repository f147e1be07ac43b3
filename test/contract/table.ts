import { env } from 'cloudflare:workers'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { operations } from '../../src/operations'
import { type Answer, type CallOptions, call, send } from '../client'
import { type Workspace, workspace } from '../factories'
import { kindAt, prepared, Records, sampleUpload } from '../world'

const answered = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
/** Thousands of requests with one key, and nothing that goes on behind the answers. */
export const QUIET = {
  KEY_RATE: { limit: async () => ({ success: true }) },
  WORKSPACE_RATE: { limit: async () => ({ success: true }) },
  BULK_RATE: { limit: async () => ({ success: true }) },
  MAILINGS_PER_HOUR: '1000000',
  WORKSPACE_MAILINGS_PER_HOUR: '1000000',
  QUEUE: { send: async () => answered, sendBatch: async () => answered, metrics: env.QUEUE.metrics },
}

export interface Stage {
  here: Workspace
  records: Records<Workspace>
}

/** A workspace, and its records as they are asked for. */
export async function stage(): Promise<Stage> {
  const made = await workspace()
  const here: Workspace = {
    ...made,
    client: (method, path, options) => made.client(method, path, { env: QUIET, ...options }),
  }
  return { here, records: new Records(here) }
}

export const table: readonly AnyOperation[] = operations

/** Rows for `test.each`, of the operations of which something is true. */
export const each = (is: (op: AnyOperation) => unknown = () => true) =>
  table.filter(is).map((op) => [op.id, op] as const)

export const at = (method: AnyOperation['method'], path: string) =>
  table.find((op) => op.method === method && op.path === path)

// What goes on page by page names the place where one begins.
const PLACES = ['cursor', 'after']

// A POST that reads is one because what it asks is a body.
export const writes = (op: AnyOperation) => op.method !== 'get' && !op.scope?.endsWith(':read')
export const lists = (op: AnyOperation) =>
  op.method === 'get' && op.data instanceof z.ZodArray && PLACES.some((name) => queryOf(op)[name])

/** The parameters of an operation's query. */
export const queryOf = (op: AnyOperation): Record<string, z.ZodType> =>
  op.query instanceof z.ZodObject ? (op.query.shape as Record<string, z.ZodType>) : {}

/** Which parameter names what the list holds. */
export function listed(op: AnyOperation): string {
  const kind = kindAt(op.path)
  if (!kind) throw new Error(`No maker of test/world.ts makes what ${op.id} lists: teach it one`)
  return kind
}

/** Where a valid call of the operation goes. */
export const target = async (op: AnyOperation, records: Stage['records']) => (await prepared(op, records)).path(op.path)

/** The first example of a body is a valid body. */
export function exampleOf(schema: z.ZodType): unknown {
  const examples = schema.meta()?.examples as unknown[] | undefined
  if (!examples?.length) throw new Error('A body schema has no example in its meta')
  return examples[0]
}

/** Members of examples that are not to be sent as they stand. */
const MEMBERS: Record<string, (example: unknown, here: Workspace, chance: string) => unknown> = {
  product: (_, { product }) => product.externalKey,
  // A name that nobody has: nothing goes out.
  url: () => 'https://hooks.invalid/',
  name: (name, _, chance) => `${name} ${chance}`,
  label: (label, _, chance) => `${label} ${chance}`,
  email: (email, _, chance) => `${chance.toLowerCase()}-${email}`,
  externalKey: (_, __, chance) => `NEW-${chance}`,
}

/** Bodies that name another record. */
const BODIES: Record<string, (records: Stage['records']) => Promise<object>> = {
  moveWorkItem: async (of) => ({ afterKey: await of.value('card_external_key') }),
  createLink: async (of) => ({
    type: 'blocks',
    to: await of.fresh('epic_external_key').value('epic_external_key'),
  }),
  mergeTag: async (of) => ({ into: await of.value('tagId') }),
  createStoryMapStep: async (of) => ({ activityId: await of.value('activityId'), title: 'Choose a card' }),
  placeStoryMapCard: async (of) => ({ stepId: await of.value('stepId') }),
  // There is one of them: the other way round from how it is.
  modifySettings: async ({ workspace }) => {
    const { body } = await workspace.client<{ feedback: { moderation: boolean } }>('GET', '/api/v2/settings')
    return { feedback: { moderation: !body.data.feedback.moderation } }
  },
  createSuppression: async ({ workspace: { subscriptionId, row } }) => {
    // Of a member, of whom the log tells nothing here: of others it knows nothing.
    const email = `${crypto.randomUUID()}@example.com`
    await row('users', { subscription_id: subscriptionId, email, role: 'member', created_at: 0, updated_at: 0 })
    return { email }
  },
  manageSegmentUsers: async (of) => {
    const fromSegmentId = await of.fresh('segmentId').value('segmentId')
    const { body } = await of.workspace.client<{ id: number }[]>('GET', `/api/v2/segments/${fromSegmentId}/users`)
    return { action: 'remove', userIds: body.data.map(({ id }) => id), fromSegmentId }
  },
  // Somebody who was not invited within the last hour.
  reinviteMembers: async ({ workspace }) => {
    const json = { email: `${crypto.randomUUID()}@example.com` }
    const path = '/api/v2/idea-manager/members?invite=false'
    return { userIds: [(await workspace.client<{ id: number }>('POST', path, { json })).body.data.id] }
  },
  mergeFeedbackItem: async (of) => ({ into: await of.value('feedback_external_key') }),
  mergeFeedbackCategory: async (of) => ({ into: await of.value('categoryId') }),
}

/** An item of a list, in the product of this workspace where it names one. */
const inProduct = (item: unknown, { product }: Workspace) =>
  typeof item === 'object' && item !== null && 'product' in item ? { ...item, product: product.externalKey } : item

/** What a valid call of the operation sends: its example, in this workspace and under a name not yet taken. */
export async function valid(op: AnyOperation, records: Stage['records']): Promise<CallOptions> {
  if (op.upload) return { raw: sampleUpload(op.upload) }
  if (!op.body) return {}
  const make = BODIES[op.id]
  if (make) return { json: await make(records.above?.records ?? records) }
  const example = exampleOf(op.body)
  if (Array.isArray(example)) return { json: example.map((item) => inProduct(item, records.workspace)) }
  const chance = crypto.randomUUID().slice(0, 8).toUpperCase()
  const own = Object.entries(example as object).map(([name, value]) => [
    name,
    MEMBERS[name]?.(value, records.workspace, chance) ?? value,
  ])
  return { json: Object.fromEntries(own) }
}

/** The body with an address in the place of every address. */
export function addressedTo(body: unknown, email: string): unknown {
  if (Array.isArray(body)) return body.map((item) => addressedTo(item, email))
  if (body === null || typeof body !== 'object') return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name === 'email' ? email : addressedTo(value, email)]),
  )
}

const usual = async (op: AnyOperation, records: Stage['records'], given: CallOptions): Promise<CallOptions> => ({
  ...('json' in given || 'raw' in given ? given : await valid(op, records)),
  apiKey: await records.workspace.key(),
  env: QUIET,
})

type Call = CallOptions & { path?: string }

/** Calls the operation as one should: with its example, on a record that exists. */
export async function perform<D = never>(
  op: AnyOperation,
  records: Stage['records'],
  options: Call = {},
): Promise<Answer<D>> {
  const { path = await target(op, records), ...given } = options
  return call<D>(op.method.toUpperCase(), path, { ...(await usual(op, records, given)), ...given })
}

/** As `perform`, with the answer unread: it may be a file. */
export async function answerOf(op: AnyOperation, records: Stage['records'], options: Call = {}) {
  const { path = await target(op, records), ...given } = options
  return send(op.method.toUpperCase(), path, { ...(await usual(op, records, given)), ...given })
}

export async function eventCount({ subscriptionId }: Workspace): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM log WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first<{ n: number }>()
  return row?.n ?? 0
}

/** Another product of the workspace. */
export const otherProduct = ({ row, subscriptionId }: Workspace) =>
  row('products', {
    subscription_id: subscriptionId,
    external_key: `OTH-${crypto.randomUUID().slice(0, 8).toUpperCase()}`,
    name: 'Other',
    created_at: 0,
    updated_at: 0,
  })
