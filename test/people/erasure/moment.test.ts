import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/client/client'
import { enqueueErasures } from '../../../src/people/erasure/handler'
import { createWorkspace, type Workspace } from '../../factories'
import { createUniqueId } from '../../unique'
import { fakeResend, RESEND, simulateQueue } from '../mail/queue-simulation'

const MEMBERS = '/api/v2/idea-manager/members'
const MINUTE = 60_000
const EMAIL = 'zebulon@example.com'

/** Creates and erases a person, and returns the moment of the erasure, whose work is still to do. */
async function erasePerson() {
  const space = await createWorkspace()
  const created = await space.client<{ id: number }>('POST', `${MEMBERS}?invite=false`, { json: { email: EMAIL } })
  const { id } = created.body.data
  expect((await space.client('DELETE', `${MEMBERS}/${id}/permanent`)).status).toBe(200)
  const row = env.DB.prepare('SELECT erased_at FROM erasures WHERE subscription_id = ?').bind(space.subscriptionId)
  const erasedAt = (await row.first<number>('erased_at')) ?? 0
  const simulation = simulateQueue(RESEND, fakeResend().fetch)
  return {
    ...{ space, erasedAt },
    async work() {
      simulation.now += 10 * MINUTE
      await enqueueErasures({ store: openStore(env.DB, simulation.now), outlet: simulation.outlet })
      await simulation.drain()
      const open = env.DB.prepare('SELECT 1 FROM erasures WHERE subscription_id = ? AND person IS NOT NULL')
      return (await open.bind(space.subscriptionId).first()) === null
    },
  }
}

/** Rows with the address of a person, as a person with the same address could write them again after the erasure. */
const ROWS: readonly [table: string, time: string, column: string, values: Record<string, string | number>][] = [
  ...['createMember', 'modifyMember'].map((operation): (typeof ROWS)[number] => [
    'idempotency_keys',
    'created_at',
    'answer',
    {
      ...{ key: operation, route: `1 ${operation} /`, part: 0, body_hash: 'x' },
      answer: JSON.stringify({ email: EMAIL, attributes: { plan: 'pro' } }),
    },
  ]),
  [
    'webhook_deliveries',
    'created_at',
    'attempts',
    {
      ...{ webhook_id: 1, event_id: 1, type: 'member.created', status: 'delivered', bytes: 1, next_attempt_at: 0 },
      attempts: JSON.stringify([{ response: `hello ${EMAIL}` }]),
    },
  ],
  [
    'incoming_receipts',
    'created_at',
    'error',
    {
      ...{ incoming_webhook_id: 1, attempts: 1, next_attempt_at: 0, delivery_id: 'a', status: 'failed' },
      error: `No person ${EMAIL}`,
    },
  ],
  ['email_recipients', 'updated_at', 'email', { email_id: 1, position: 0, user_id: 0, email: EMAIL, status: 'sent' }],
]

async function insertRow({ subscriptionId }: Workspace, [table, time, , values]: (typeof ROWS)[number], at: number) {
  const row = { subscription_id: subscriptionId, ...values, [time]: at }
  const names = Object.keys(row)
  await env.DB.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
    .bind(...Object.values(row))
    .run()
}

test.each(ROWS)(
  '%s: a row of the millisecond of the erasure (%s) loses the address, and a later row keeps it',
  async (...one) => {
    const [table, , column] = one
    const holdsAddress = async (at: number) => {
      const { space, work, erasedAt } = await erasePerson()
      await insertRow(space, one, erasedAt + at)
      expect(await work()).toBe(true)
      const rows = env.DB.prepare(`SELECT ${column} AS text FROM ${table} WHERE subscription_id = ?`)
      const { results } = await rows.bind(space.subscriptionId).all<{ text: string | null }>()
      return results.some(({ text }) => text?.includes(EMAIL))
    }
    expect([await holdsAddress(-1), await holdsAddress(0), await holdsAddress(1)]).toEqual([false, false, true])
  },
)

test('an erasure waits for an import of its millisecond and for a received hook, and not for later ones', async () => {
  const waits = async (insert: (space: Workspace, at: number) => Promise<unknown>, at: number) => {
    const { space, work, erasedAt } = await erasePerson()
    await insert(space, erasedAt + at)
    return !(await work())
  }
  const insertImport = ({ subscriptionId, row, userId }: Workspace, created_at: number) =>
    row('imports', {
      ...{ subscription_id: subscriptionId, created_at, user_id: userId, reference: createUniqueId(), total: 1 },
      ...{ kind: 'people', area: 'people', status: 'pending', file_name: 'a.csv', file_type: 'csv', object_key: 'x' },
      ...{ on_conflict: 'skip', mapping: '{}', header: '[]', updated_at: created_at },
    })
  const insertReceipt = ({ subscriptionId, row }: Workspace, created_at: number) =>
    row('incoming_receipts', {
      ...{ subscription_id: subscriptionId, created_at, incoming_webhook_id: 1, attempts: 1, next_attempt_at: 9e15 },
      ...{ delivery_id: 'a', status: 'queued', payload: JSON.stringify({ email: EMAIL }) },
    })
  for (const insert of [insertImport, insertReceipt])
    expect([insert.name, await waits(insert, 0), await waits(insert, 1)]).toEqual([insert.name, true, false])
})
