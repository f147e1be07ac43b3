import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { kindAt, MAKERS } from '../world'
import { fill } from './fill'
import { placed, type Spot, spotsOf } from './spots'
import { answerOf, each, queryOf, type Stage, stage, table, valid } from './table'

/** A page has at most 4 MB of texts, plus ids, numbers, timestamps and JSON member names. */
const MAX_BYTES = 4_000_000 + 1_000_000
/** Enough stored bytes to make a response with all records too large, as far as the page size allows. */
const STORED_BYTES = 8_000_000
const MAX_COPIES = 110
/** Copies for a list that returns up to 1,000 records without `limit`. */
const MAX_COPIES_OF_WHOLE = 1_010
/** HTML with more characters of three bytes is refused. */
const MAX_CHARACTERS = 174_000
const MAX_ITEMS = 20
const RECORDS_OF_KPIS = 60_000
const RECIPIENTS = 18_000

const longest = (max: number, n = 0) =>
  `${n}${'漢'.repeat(Math.max(0, Math.min(max, MAX_CHARACTERS) - String(n).length))}`

/** Returns the body with the longest value for the input, or undefined if the schema refuses the value. */
function stuffedAt(op: AnyOperation, body: unknown, { path, kind, max }: Spot): unknown {
  const schema = op.body as z.ZodType
  if (path.includes(0)) return undefined
  const items = spotsOf(op).find((spot) => spot.path.join() === [...path, 0].join())
  const value =
    kind === 'text'
      ? longest(max)
      : Array.from({ length: Math.min(max, MAX_ITEMS) }, (_, n) => longest(Math.min(items?.max ?? 1, 2_000), n + 1))
  const stuffed = placed(schema, body, path, value)
  return schema.safeParse(stuffed).success ? stuffed : undefined
}

async function stuff(kind: string, { records }: Stage): Promise<void> {
  const modify = table.find((op) => op.method === 'put' && op.path.endsWith(`/{${kind}}`) && op.body)
  if (!modify) return
  const path = await records.path(modify.path)
  let { json } = await valid(modify, records)
  for (const spot of spotsOf(modify).filter(({ where }) => where === 'body')) {
    const stuffed = stuffedAt(modify, json, spot)
    if (stuffed === undefined) continue
    const { response } = await answerOf(modify, records, { path, json: stuffed })
    if (response.status < 300) json = stuffed
  }
}

type Prepare = (stage: Stage) => Promise<unknown>

const execute = ({ here }: Stage, text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(here.subscriptionId, ...values)
    .run()

/** SQL for the id of a parent row: the rows of `name` have consecutive ids, and `n` selects from the first `count`. */
const oneOf = (name: string, count: number) =>
  `(SELECT min(id) FROM ${name} WHERE subscription_id = one.subscription_id) + n % ${count}`

/** Stores further long texts of a record before the record is copied. */
const BEFORE: Readonly<Record<string, Prepare>> = {
  eventId: (stage) =>
    execute(
      stage,
      'UPDATE log SET data = ?2, previous = ?2 WHERE subscription_id = ?1',
      JSON.stringify({ text: longest(80_000) }),
    ),
  feedback_external_key: async ({ here, records }) => {
    const path = await records.path('/api/feedback-items/{feedback_external_key}/comments')
    for (let n = 0; n < 3; n++) await here.client('POST', path, { json: { text: longest(13_000, n) } })
    // The comments alone exceed the limit.
    await execute({ here, records }, `UPDATE feedback_items SET long_description = '' WHERE subscription_id = ?1`)
  },
}

const BEHIND: Readonly<Record<string, Prepare>> = {
  segmentId: async (made) => {
    const { subscriptionId } = made.here
    await execute(
      made,
      'UPDATE users SET attributes = ?2 WHERE subscription_id = ?1',
      JSON.stringify({ text: longest(6_600) }),
    )
    await fill('segment_members', subscriptionId, 300, { segment_id: oneOf('segments', 100) })
  },
  feedback_external_key: ({ here }) =>
    fill('feedback_comments', here.subscriptionId, 300, { feedback_id: oneOf('feedback_items', 100) }),
  kpi_external_key: async ({ here, records }) => {
    await records.value('recordId')
    await fill('kpi_records', here.subscriptionId, RECORDS_OF_KPIS, { kpi_id: oneOf('kpis', 250) })
  },
}

/** The largest pages. For each parameter of an operation, the first valid value counts. */
const WIDEST: readonly Readonly<Record<string, readonly string[]>>[] = [
  { limit: ['100', '50'], linked: ['all'] },
  { limit: ['100', '50'], linked: ['all'], revisions: ['1000'] },
  { linked: ['all'] },
]

/** Whether the page is larger without `limit`. */
const isWhole = (op: AnyOperation) => queryOf(op).limit?.safeParse(undefined).data === undefined

function queriesOf(op: AnyOperation): string[] {
  const parameters = queryOf(op)
  const queries = WIDEST.map((widest) => {
    const query = new URLSearchParams()
    for (const [name, values] of Object.entries(widest)) {
      const taken = values.find((value) => parameters[name]?.safeParse(value).success)
      if (taken) query.set(name, taken)
    }
    return `${query}`
  })
  return [...new Set(queries)].filter((query) => isWhole(op) || !parameters.limit || query.includes('limit'))
}

/** The largest response of each operation in bytes. */
const measured = new Map<string, number>()

const answersArray = (op: AnyOperation) => op.data instanceof z.ZodArray

test.each(each((op) => answersArray(op) && op.method === 'get'))(
  '%s answers at most 4 MB, however long the texts of its records are',
  async (_, op) => {
    const made = await stage()
    const { here, records } = made
    const kind = kindAt(op.path) ?? 'feedback_external_key'
    await records.value(kind)
    await stuff(kind, made)
    await BEFORE[kind]?.(made)
    const path = await records.path(op.path)
    const bytes = async (query: string) => {
      const { response } = await answerOf(op, records, { path: `${path}${path.includes('?') ? '&' : '?'}${query}` })
      expect([query, response.status]).toEqual([query, 200])
      return (await response.arrayBuffer()).byteLength
    }
    const queries = queriesOf(op)
    const ofOne = await bytes(queries[0] ?? '')
    const most = isWhole(op) ? MAX_COPIES_OF_WHOLE : MAX_COPIES
    const copies = Math.min(most, Math.ceil(STORED_BYTES / ofOne) + 1)
    await fill(MAKERS[kind]?.table ?? '', here.subscriptionId, copies)
    await BEHIND[kind]?.(made)
    for (const query of queries) {
      const ofAll = await bytes(query)
      expect([query, ofAll, ofAll < MAX_BYTES]).toEqual([query, ofAll, true])
      measured.set(op.id, Math.max(measured.get(op.id) ?? 0, ofAll))
    }
  },
)

test.each(each((op) => answersArray(op) && op.method === 'post'))(
  '%s answers at most 4 MB, however many it is sent to',
  async (_, op) => {
    const { here, records } = await stage()
    const segmentId = await records.value('segmentId')
    await execute(
      { here, records },
      `UPDATE users SET email = ?2 WHERE subscription_id = ?1 AND id IN (SELECT user_id FROM segment_members)`,
      `${'a'.repeat(60)}@${Array(3).fill('b'.repeat(58)).join('.')}.com`,
    )
    await fill('segment_members', here.subscriptionId, RECIPIENTS)
    const given = await valid(op, records)
    const { results } = await execute(
      { here, records },
      'SELECT user_id AS id FROM segment_members WHERE subscription_id = ?1 AND segment_id = ?2 LIMIT 10000',
      segmentId,
    )
    const userIds = (results as { id: number }[]).map(({ id }) => id)
    const json = op.id === 'sendMembersEmail' ? { subject: 'Hi', html: '<p>Hi</p>', userIds } : given.json
    const { response } = await answerOf(op, records, { path: await records.path(op.path), json })
    expect(response.status).toBe(200)
    const ofAll = (await response.arrayBuffer()).byteLength
    expect(ofAll).toBeLessThan(MAX_BYTES)
    measured.set(op.id, ofAll)
  },
)

test('pages that the bound has ended are among them', () => {
  const full = [...measured].filter(([, bytes]) => bytes > 3_000_000).map(([id]) => id)
  expect(full).toEqual(expect.arrayContaining(['listEvents', 'listEpics', 'listFeedbackItems', 'listKpis']))
})
