import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { openStore } from '../../../../src/db/client/client'
import { enqueueReceipts } from '../../../../src/workspace/incoming-webhooks/work/handler'
import { enqueueDueFeeds } from '../../../../src/workspace/webhooks/delivery/handler'
import { send } from '../../../client'
import { readClock } from '../../../clock'
import { UNLIMITED } from '../../../contract/table'
import { type Client, createWorkspace, type Workspace } from '../../../factories'
import { simulateQueue } from '../../../people/mail/queue-simulation'

const DAY = 86_400_000
const MINUTE = 60_000

export interface Item {
  id: number
  externalKey: string
  type: 'epic' | 'feature' | 'userstory'
  summary: string
  epicId: number
  featureId: number
  userId: number[]
  [member: string]: unknown
}

export interface Side {
  name: string
  space: Workspace
  client: Client
  at: string
  incoming: { id: number; url: string; secret: string }
  webhookId: number
}

interface Fault {
  /** The receiver gets nothing, and the sender this status. */
  refuses?: number
  /** The receiver gets the delivery, and the sender this status. */
  answers?: number
  /** The receiver gets the delivery once more. */
  repeats?: boolean
  /** Seconds until the queue hands the receipt over. */
  delay?: number
}

const PATHS = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' } as const

export const pathOf = (side: Side, { type, externalKey }: Pick<Item, 'type' | 'externalKey'>) =>
  `${side.at}/${PATHS[type]}/${externalKey}`
export const listPathOf = (side: Side, type: Item['type']) => `${side.at}/${PATHS[type]}`

async function createSide(name: string): Promise<Omit<Side, 'incoming' | 'webhookId'>> {
  const space = await createWorkspace()
  const apiKey = await space.key({ expiresAt: readClock() + 300 * DAY })
  const client: Client = (method, path, options) => space.client(method, path, { apiKey, env: UNLIMITED, ...options })
  return { name, space, client, at: `/api/initiatives/${space.product.externalKey}` }
}

/** Two workspaces whose work items are connected in both directions. The clock of the service is the simulated clock. */
export async function createPair() {
  vi.useFakeTimers({ toFake: ['Date'], now: readClock() })
  const counts = { deliveries: 0 }
  const simulation = simulateQueue({}, async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers))
    const fault = pair.nextFault((JSON.parse(String(init?.body)) as { type: string }).type)
    counts.deliveries++
    if (fault.refuses) return new Response(null, { status: fault.refuses })
    const QUEUE = { send: async (body: never) => simulation.enqueue(body, fault.delay) } as never
    const deliver = async () =>
      (await send('POST', new URL(String(input)).pathname, { headers, raw: String(init?.body), env: { QUEUE } }))
        .response
    const response = await deliver()
    expect([response.status, headers['x-groundwork-hops']]).toEqual([202, '1'])
    if (fault.repeats) expect((await deliver()).status).toBe(202)
    return fault.answers ? new Response(null, { status: fault.answers }) : response
  })
  const [first, second] = [await createSide('first'), await createSide('second')]
  const sides = [await connect(first), await connect(second)] as unknown as [Side, Side]
  await point(sides[0], sides[1])
  await point(sides[1], sides[0])

  async function connect(side: Omit<Side, 'incoming' | 'webhookId'>) {
    const json = { provider: 'groundwork', product: side.space.product.externalKey, action: 'upsert_work_item' }
    const { body } = await side.client<Side['incoming']>('POST', '/api/v2/incoming-webhooks', { json })
    expect(body.message).toMatch(/^Incoming webhook created/)
    return { ...side, incoming: body.data, webhookId: 0 }
  }

  async function point(from: Side, to: Side) {
    const json = {
      ...{ url: `https://${to.name}.example.com${new URL(to.incoming.url).pathname}`, secret: to.incoming.secret },
      ...{ events: ['epic.*', 'feature.*', 'userstory.*'], products: [from.space.product.externalKey] },
    }
    const { body } = await from.client<{ id: number }>('POST', '/api/v2/webhooks', { json })
    expect(body.message).toMatch(/^Webhook created/)
    from.webhookId = body.data.id
  }

  const ids = sides.map(({ space }) => space.subscriptionId)
  const setClock = (now: number) => {
    simulation.now = Math.max(simulation.now, now)
    vi.setSystemTime(simulation.now)
  }
  const pair = {
    ...{ sides, simulation, counts, setClock },
    nextFault: (_eventType: string): Fault => ({}),
    /** Runs before each batch of messages. */
    beforeStep: () => {},
    afterStep: () => {},
    wake() {
      for (const subscriptionId of ids) simulation.enqueue({ kind: 'webhook.wake', subscriptionId })
    },
    async step(): Promise<boolean> {
      const due = Math.min(...simulation.queue.map((message) => message.due))
      if (due === Number.POSITIVE_INFINITY) return false
      setClock(due)
      pair.beforeStep()
      try {
        return await simulation.step()
      } finally {
        pair.afterStep()
        setClock(simulation.now)
      }
    },
    async handleDueMessages() {
      while (simulation.queue.some(({ due }) => due <= simulation.now)) await pair.step()
    },
    /** Whether a delivery, an event or a receipt waits. */
    async countWork(): Promise<number> {
      const row = await env.DB.prepare(
        `SELECT (SELECT count(*) FROM webhook_deliveries WHERE subscription_id IN (?1, ?2) AND status = 'pending')
          + (SELECT count(*) FROM incoming_receipts WHERE subscription_id IN (?1, ?2) AND status = 'queued')
          + (SELECT count(*) FROM webhooks w WHERE subscription_id IN (?1, ?2)
            AND position < (SELECT max(id) FROM log WHERE subscription_id = w.subscription_id)) AS n`,
      )
        .bind(...ids)
        .first<{ n: number }>()
      return (row?.n ?? 0) + simulation.queue.length
    },
    async cron() {
      const store = openStore(env.DB, simulation.now)
      await enqueueDueFeeds({ store, outlet: simulation.outlet })
      await enqueueReceipts({ store, outlet: simulation.outlet })
      simulation.queue = simulation.queue.filter(({ body }) => ids.includes(body.subscriptionId))
    },
    /** Runs the queue and the cron until nothing waits. */
    async settle(minutes = 600) {
      pair.wake()
      for (let minute = 0; minute < minutes; minute++) {
        await pair.handleDueMessages()
        if ((await pair.countWork()) === 0) return
        setClock(simulation.now + MINUTE)
        await pair.cron()
      }
      throw new Error('Deliveries do not come to rest')
    },
    async items(side: Side): Promise<Item[]> {
      const items: Item[] = []
      for (let cursor = ''; ; ) {
        const page = await side.client<Item[]>('GET', `/api/v2/work-items?limit=100${cursor}`)
        items.push(...page.body.data)
        const next = page.headers.get('x-next-cursor')
        if (!next) return items.reverse()
        cursor = `&cursor=${next}`
      }
    },
  }
  return pair
}

export type Pair = Awaited<ReturnType<typeof createPair>>
