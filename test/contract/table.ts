import { env } from 'cloudflare:workers'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { operations } from '../../src/operations'
import { EXPORTED_TABLE_NAMES } from '../../src/workspace/exports/queries/rows'
import { type ApiResponse, type CallOptions, call, send } from '../client'
import { readClock } from '../clock'
import { uniqueExample } from '../examples'
import { createWorkspace, setEraseAt, type Workspace } from '../factories'
import { createUniqueId } from '../unique'
import { lastParameter, MAKER_REMEDY, parameterFor, prepareRecords, Records, sampleUpload } from '../world'

const queueResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
/** Bindings without rate limits, and a queue that drops every message. */
export const UNLIMITED = {
  KEY_RATE: { limit: async () => ({ success: true }) },
  WORKSPACE_RATE: { limit: async () => ({ success: true }) },
  BULK_RATE: { limit: async () => ({ success: true }) },
  MAILINGS_PER_HOUR: '1000000',
  WORKSPACE_MAILINGS_PER_HOUR: '1000000',
  QUEUE: { send: async () => queueResponse, sendBatch: async () => queueResponse, metrics: env.QUEUE.metrics },
}

export interface Scenario {
  here: Workspace
  records: Records<Workspace>
}

export async function createScenario(): Promise<Scenario> {
  const made = await createWorkspace()
  const here: Workspace = {
    ...made,
    client: (method, path, options) => made.client(method, path, { env: UNLIMITED, ...options }),
  }
  return { here, records: new Records(here) }
}

export const operationTable: readonly AnyOperation[] = operations

const headings = env.CONTRACT_HEADINGS.split(',').filter(Boolean)
const isUnderHeading = ({ tag }: AnyOperation) => headings.length === 0 || headings.includes(tag)

/** Rows for `test.each`, for the operations that match and stand under a heading of `CONTRACT_HEADINGS`. */
export const eachOperation = (is: (op: AnyOperation) => unknown = () => true) =>
  operationTable.filter((op) => isUnderHeading(op) && is(op)).map((op) => [op.id, op] as const)

export const operationAt = (method: AnyOperation['method'], path: string) =>
  operationTable.find((op) => op.method === method && op.path === path)

// Query parameters with the start of a page.
const PAGE_PARAMETERS = ['cursor', 'after']

// A POST with a `:read` scope only reads; the body holds the question. A key has no session to end.
export const isWrite = (op: AnyOperation) => op.method !== 'get' && !op.scope?.endsWith(':read') && op.id !== 'signOut'
export const isList = (op: AnyOperation) =>
  op.method === 'get' && op.data instanceof z.ZodArray && PAGE_PARAMETERS.some((name) => queryParametersOf(op)[name])

export const queryParametersOf = (op: AnyOperation): Record<string, z.ZodType> =>
  op.query instanceof z.ZodObject ? (op.query.shape as Record<string, z.ZodType>) : {}

/** Values of an enumeration, of one value or of several separated by commas. */
export function optionsOf(schema: z.ZodType): string[] | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return optionsOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return optionsOf(schema.out as z.ZodType)
  if (schema instanceof z.ZodArray) return optionsOf(schema.element as z.ZodType)
  return schema instanceof z.ZodEnum ? schema.options.map(String) : undefined
}

/** True for a filter that accepts several values separated by commas. */
export function acceptsSeveral(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return acceptsSeveral(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe && schema.out instanceof z.ZodArray
}

export function listedParameter(op: AnyOperation): string {
  const kind = parameterFor(op.path)
  if (!kind) {
    throw new Error(`No record for the list of ${op.id} can be created. ${MAKER_REMEDY}`)
  }
  return kind
}

export const validPath = async (op: AnyOperation, records: Scenario['records']) =>
  (await prepareRecords(op, records)).path(op.path)

/** Bodies that reference a second record. */
const BODIES: Record<string, (records: Scenario['records']) => Promise<object>> = {
  moveWorkItem: async (of) => ({ afterKey: await of.value('card_external_key') }),
  createLink: async (of) => ({
    type: 'blocks',
    to: await of.withFresh('epic_external_key').value('epic_external_key'),
  }),
  bulkFeedbackItems: async (of) => [
    {
      op: 'update',
      externalKey: await of.value('feedback_external_key'),
      body: { title: `A dark theme ${createUniqueId()}` },
    },
  ],
  linkFeedbackItem: async (of) => ({
    workItem: await of.withFresh('epic_external_key').value('epic_external_key'),
  }),
  createStoryMapStep: async (of) => ({ activityId: await of.value('activityId'), title: 'Choose a card' }),
  placeStoryMapCard: async (of) => ({ stepId: await of.value('stepId') }),
  // A workspace has a single record of settings, so the body inverts a stored value.
  modifySettings: async ({ workspace }) => {
    const { body } = await workspace.client<{ feedback: { moderation: boolean } }>('GET', '/api/v2/settings')
    return { feedback: { moderation: !body.data.feedback.moderation } }
  },
  modifySignInSettings: async ({ workspace }) => {
    const { body } = await workspace.client<{ role: string }>('GET', '/api/v2/settings/sign-in')
    const role = body.data.role === 'viewer' ? 'member' : 'viewer'
    return { issuer: 'https://login.example.com', clientId: 'groundwork', role }
  },
  eraseWorkspace: async () => ({ confirm: 'Test' }),
  createSuppression: async ({ workspace: { subscriptionId, row } }) => {
    // SQL inserts the user without an event. The log records suppressions of users only.
    const email = `${createUniqueId()}@example.com`
    await row('users', { subscription_id: subscriptionId, email, role: 'member', created_at: 0, updated_at: 0 })
    return { email }
  },
  manageSegmentUsers: async (of) => {
    const fromSegmentId = await of.withFresh('segmentId').value('segmentId')
    const { body } = await of.workspace.client<{ id: number }[]>('GET', `/api/v2/segments/${fromSegmentId}/users`)
    return { action: 'remove', userIds: body.data.map(({ id }) => id), fromSegmentId }
  },
  requestSegmentConfirmations: async (of) => {
    await of.withFresh('confirmationUserId').value('confirmationUserId')
    const { body } = await of.workspace.client<{ userId: number }[]>(
      'GET',
      await of.path('/api/v2/segments/{segmentId}/confirmations?limit=1'),
    )
    return { userIds: body.data.map(({ userId }) => userId) }
  },
  // A member without an invitation in the last hour.
  reinviteMembers: async ({ workspace }) => {
    const json = { email: `${createUniqueId()}@example.com` }
    const path = '/api/v2/idea-manager/members?invite=false'
    return { userIds: [(await workspace.client<{ id: number }>('POST', path, { json })).body.data.id] }
  },
}

/** Bodies about records below the record of the path. */
const BODIES_ABOUT_PATH = new Set(['requestSegmentConfirmations'])

/** The request of a valid call: the example, with records of this workspace and unused names. */
export async function validRequest(op: AnyOperation, records: Scenario['records']): Promise<CallOptions> {
  if (op.upload) return { raw: sampleUpload(op.upload) }
  if (!op.body) return {}
  const shared = records.parent?.records ?? records
  const make = BODIES[op.id]
  if (make) return { json: await make(BODIES_ABOUT_PATH.has(op.id) ? records : shared) }
  if (op.path.endsWith('/merge')) return { json: { into: await shared.value(lastParameter(op.path)) } }
  return { json: uniqueExample(op.body, records.workspace) }
}

export function replaceAddresses(body: unknown, email: string): unknown {
  if (Array.isArray(body)) return body.map((item) => replaceAddresses(item, email))
  if (body === null || typeof body !== 'object') return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name === 'email' ? email : replaceAddresses(value, email)]),
  )
}

const keys = new WeakMap<Workspace, Promise<string>>()

/** A key with every scope. All calls in a workspace share the key, because a stored key per call takes time. */
function keyOf(workspace: Workspace): Promise<string> {
  const key = keys.get(workspace) ?? workspace.key()
  keys.set(workspace, key)
  return key
}

const defaultOptions = async (
  op: AnyOperation,
  records: Scenario['records'],
  given: CallOptions,
): Promise<CallOptions> => ({
  ...('json' in given || 'raw' in given ? given : await validRequest(op, records)),
  apiKey: given.apiKey === undefined ? await keyOf(records.workspace) : given.apiKey,
  env: UNLIMITED,
})

type CallWithPath = CallOptions & { path?: string }

/** Schedules an erasure before the operation that cancels it. Afterwards no erasure is scheduled, also after a refusal. */
async function aroundErasure<T>(
  op: AnyOperation,
  { workspace }: Scenario['records'],
  act: () => Promise<T>,
): Promise<T> {
  if (op.id === 'restoreWorkspace') await setEraseAt(workspace, readClock() + 86_400_000)
  const answer = await act()
  if (['eraseWorkspace', 'restoreWorkspace'].includes(op.id)) await setEraseAt(workspace, null)
  return answer
}

// A workspace needs its rows in these tables.
const KEPT_TABLES = ['subscriptions', 'settings', 'portals', 'counters', 'users']
const HIDDEN_TABLES = EXPORTED_TABLE_NAMES.filter((name) => !KEPT_TABLES.includes(name))

async function moveRows({ from, to }: { from: number; to: number }): Promise<void> {
  const move = (table: string, condition = 'true') =>
    env.DB.prepare(`UPDATE ${table} SET subscription_id = ?2 WHERE subscription_id = ?1 AND ${condition}`).bind(
      from,
      to,
    )
  const isOther = from > 0 ? 'id > (SELECT min(id) FROM users WHERE subscription_id = ?1)' : 'true'
  await env.DB.batch([...HIDDEN_TABLES.map((table) => move(table)), move('users', isOther)])
}

/** Hides the records of the workspace during a restore, which needs an empty workspace. */
export async function aroundRestore<T>(
  op: AnyOperation,
  { workspace }: Scenario['records'],
  act: () => Promise<T>,
): Promise<T> {
  if (op.id !== 'restoreExport') return act()
  const { subscriptionId } = workspace
  await env.DB.prepare(`UPDATE exports SET status = 'failed' WHERE subscription_id = ? AND kind = 'restore'`)
    .bind(subscriptionId)
    .run()
  await moveRows({ from: subscriptionId, to: -subscriptionId })
  try {
    return await act()
  } finally {
    await moveRows({ from: -subscriptionId, to: subscriptionId })
  }
}

/** Sends a valid request of the operation to an existing record. */
export async function callOperation<D = never>(
  op: AnyOperation,
  records: Scenario['records'],
  options: CallWithPath = {},
): Promise<ApiResponse<D>> {
  const { path = await validPath(op, records), ...given } = options
  const sent = { ...(await defaultOptions(op, records, given)), ...given }
  const act = () => call<D>(op.method.toUpperCase(), path, sent)
  return aroundErasure(op, records, () => aroundRestore(op, records, act))
}

/** Sends a valid request without parsing the response, because the response may be a file. */
export async function sendOperation(op: AnyOperation, records: Scenario['records'], options: CallWithPath = {}) {
  const { path = await validPath(op, records), ...given } = options
  const sent = { ...(await defaultOptions(op, records, given)), ...given }
  const act = () => send(op.method.toUpperCase(), path, sent)
  return aroundErasure(op, records, () => aroundRestore(op, records, act))
}

export async function countEvents({ subscriptionId }: Workspace): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM log WHERE subscription_id = ?')
    .bind(subscriptionId)
    .first<{ n: number }>()
  return row?.n ?? 0
}

export const insertSecondProduct = ({ row, subscriptionId }: Workspace) =>
  row('products', {
    subscription_id: subscriptionId,
    external_key: `OTH-${createUniqueId().slice(0, 8).toUpperCase()}`,
    name: 'Other',
    created_at: 0,
    updated_at: 0,
  })
