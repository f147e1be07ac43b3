import { env } from 'cloudflare:workers'
import { createWorkspace, type Workspace } from '../../factories'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'

const queueResponse = { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
// The runtime's own queue would deliver the messages a second later, too.
const QUEUE = { send: async () => queueResponse, sendBatch: async () => queueResponse, metrics: env.QUEUE.metrics }

export const MINUTE = 60_000
export const IDEAS = '/api/feedback-items'

export async function createQuietWorkspace(): Promise<Workspace> {
  const made = await createWorkspace()
  return { ...made, client: (method, path, options) => made.client(method, path, { env: { QUEUE }, ...options }) }
}

interface Item {
  external_key: string
}

export const createIdea = async ({ client, product }: Workspace, body: object = {}) =>
  (await client<Item>('POST', IDEAS, { json: { title: 'Dark mode', product: product.externalKey, ...body } })).body.data
    .external_key

export const post = <D = { id: number }>(
  { client }: Workspace,
  path: string,
  json: object = {},
  options: object = {},
) => client<D>('POST', `${IDEAS}/${path}`, { json, ...options })

export const vote = (world: Workspace, key: string, email: string, type = 'up') =>
  post(world, `${key}/vote`, { type, email })

export async function findStatusId({ client }: Workspace, name: string): Promise<number> {
  const { body } = await client<{ id: number; name: string }[]>('GET', `${IDEAS}/statuses`)
  return body.data.find((one) => one.name === name)?.id ?? 0
}

export const setStatus = async (world: Workspace, key: string, name: string, notify?: string) =>
  world.client('PUT', `${IDEAS}/${key}`, {
    json: { status_id: await findStatusId(world, name), ...(notify && { notify }) },
  })

/** Creates a person of the team, and a key of this person. */
export async function createColleague(world: Workspace, email: string, scopes = ['*'] as const) {
  const id = await world.row('users', {
    ...{
      subscription_id: world.subscriptionId,
      email,
      first_name: 'Cleo',
      role: 'member',
      created_at: 0,
      updated_at: 0,
    },
  })
  return { id, apiKey: await world.key({ userId: id, scopes: [...scopes] }) }
}

/** Puts each message on the queue twice, because delivery is at least once, and returns the sent mails. */
export async function deliverMails(
  { subscriptionId }: Workspace,
  { minutes = 61, settings = {} }: { minutes?: number; settings?: Partial<Cloudflare.Env> } = {},
) {
  const resend = fakeResend()
  const simulation = simulateQueue({ ...RESEND, ...settings }, resend.fetch)
  // The first run looks up the recipients, as the message of the request does.
  for (const at of [simulation.now, simulation.now + minutes * MINUTE]) {
    simulation.now = at
    for (let n = 0; n < 2; n++) simulation.enqueue({ kind: 'feedback.notices', subscriptionId })
    await simulation.drain()
  }
  return resend.accepted
}

/** Returns `address subject` of each mail. */
export async function deliver(world: Workspace, options: Parameters<typeof deliverMails>[1] = {}): Promise<string[]> {
  return (await deliverMails(world, options)).map(({ to, subject }) => `${to} ${subject}`).sort()
}

export async function countRows({ subscriptionId }: Workspace, table: string): Promise<number> {
  const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE subscription_id = ?`).bind(subscriptionId)
  return (await count.first<number>('n')) ?? 0
}
