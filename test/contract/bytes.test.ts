import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { MAKERS, parameterFor } from '../world'
import { copyNewestRow } from './copy-rows'
import { listInputs, type RequestInput, setAtPath } from './inputs'
import {
  createScenario,
  eachOperation,
  operationTable,
  queryParametersOf,
  type Scenario,
  sendOperation,
  validRequest,
} from './table'

/** A page has at most 4 MB of texts, plus ids, numbers, timestamps and JSON member names. */
const MAX_BYTES = 4_000_000 + 1_000_000
/** Enough stored bytes to make a response with all records too large, as far as the page size allows. */
const STORED_BYTES = 8_000_000
const MAX_COPIES = 110
/** Copies for a list that returns up to 1,000 records without `limit`. */
const MAX_COPIES_WITHOUT_LIMIT = 1_010
/** HTML with more characters of three bytes is refused. */
const MAX_CHARACTERS = 174_000
const MAX_ITEMS = 20
const KPI_RECORD_COUNT = 60_000
const RECIPIENT_COUNT = 18_000

const createLongText = (max: number, n = 0) =>
  `${n}${'漢'.repeat(Math.max(0, Math.min(max, MAX_CHARACTERS) - String(n).length))}`

/** Returns the body with the longest value for the input, or undefined if the schema refuses the value. */
function setLongestValue(op: AnyOperation, body: unknown, { path, kind, max }: RequestInput): unknown {
  const schema = op.body as z.ZodType
  if (path.includes(0)) return undefined
  const items = listInputs(op).find((spot) => spot.path.join() === [...path, 0].join())
  const value =
    kind === 'text'
      ? createLongText(max)
      : Array.from({ length: Math.min(max, MAX_ITEMS) }, (_, n) =>
          createLongText(Math.min(items?.max ?? 1, 2_000), n + 1),
        )
  const stuffed = setAtPath(schema, body, path, value)
  return schema.safeParse(stuffed).success ? stuffed : undefined
}

async function storeLongestTexts(kind: string, { records }: Scenario): Promise<void> {
  const modify = operationTable.find((op) => op.method === 'put' && op.path.endsWith(`/{${kind}}`) && op.body)
  if (!modify) return
  const path = await records.path(modify.path)
  let { json } = await validRequest(modify, records)
  for (const spot of listInputs(modify).filter(({ where }) => where === 'body')) {
    const stuffed = setLongestValue(modify, json, spot)
    if (stuffed === undefined) continue
    const { response } = await sendOperation(modify, records, { path, json: stuffed })
    if (response.status < 300) json = stuffed
  }
}

type Prepare = (stage: Scenario) => Promise<unknown>

const execute = ({ here }: Scenario, text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(here.subscriptionId, ...values)
    .run()

/** SQL for the id of a parent row: the rows of `name` have consecutive ids, and `n` selects from the first `count`. */
const parentIdSql = (name: string, count: number) =>
  `(SELECT min(id) FROM ${name} WHERE subscription_id = one.subscription_id) + n % ${count}`

/** Stores further long texts of a record before the record is copied. */
const EXTEND_ORIGINAL: Readonly<Record<string, Prepare>> = {
  eventId: (stage) =>
    execute(
      stage,
      'UPDATE log SET data = ?2, previous = ?2 WHERE subscription_id = ?1',
      JSON.stringify({ text: createLongText(80_000) }),
    ),
  feedback_external_key: async ({ here, records }) => {
    const path = await records.path('/api/feedback-items/{feedback_external_key}/comments')
    for (let n = 0; n < 3; n++) await here.client('POST', path, { json: { text: createLongText(13_000, n) } })
    // The comments alone exceed the limit.
    await execute({ here, records }, `UPDATE feedback_items SET long_description = '' WHERE subscription_id = ?1`)
  },
}

const ADD_CHILDREN: Readonly<Record<string, Prepare>> = {
  segmentId: async (made) => {
    const { subscriptionId } = made.here
    await execute(
      made,
      'UPDATE users SET attributes = ?2 WHERE subscription_id = ?1',
      JSON.stringify({ text: createLongText(6_600) }),
    )
    await copyNewestRow('segment_members', subscriptionId, 300, { segment_id: parentIdSql('segments', 100) })
  },
  feedback_external_key: ({ here }) =>
    copyNewestRow('feedback_comments', here.subscriptionId, 300, { feedback_id: parentIdSql('feedback_items', 100) }),
  kpi_external_key: async ({ here, records }) => {
    await records.value('recordId')
    await copyNewestRow('kpi_records', here.subscriptionId, KPI_RECORD_COUNT, { kpi_id: parentIdSql('kpis', 250) })
  },
}

/** The largest pages. For each parameter of an operation, the first valid value counts. */
const LARGEST_QUERIES: readonly Readonly<Record<string, readonly string[]>>[] = [
  { limit: ['100', '50'], linked: ['all'] },
  { limit: ['100', '50'], linked: ['all'], revisions: ['1000'] },
  { linked: ['all'] },
]

/** Whether the page is larger without `limit`. */
const growsWithoutLimit = (op: AnyOperation) => queryParametersOf(op).limit?.safeParse(undefined).data === undefined

function listLargestQueries(op: AnyOperation): string[] {
  const parameters = queryParametersOf(op)
  const queries = LARGEST_QUERIES.map((widest) => {
    const query = new URLSearchParams()
    for (const [name, values] of Object.entries(widest)) {
      const taken = values.find((value) => parameters[name]?.safeParse(value).success)
      if (taken) query.set(name, taken)
    }
    return `${query}`
  })
  return [...new Set(queries)].filter((query) => growsWithoutLimit(op) || !parameters.limit || query.includes('limit'))
}

/** The largest response of each operation in bytes. */
const largestResponseBytes = new Map<string, number>()

const returnsArray = (op: AnyOperation) => op.data instanceof z.ZodArray

test.each(eachOperation((op) => returnsArray(op) && op.method === 'get'))(
  '%s returns at most 4 MB when the texts of its records are long',
  async (_, op) => {
    const made = await createScenario()
    const { here, records } = made
    const kind = parameterFor(op.path) ?? 'feedback_external_key'
    await records.value(kind)
    await storeLongestTexts(kind, made)
    await EXTEND_ORIGINAL[kind]?.(made)
    const path = await records.path(op.path)
    const bytes = async (query: string) => {
      const { response } = await sendOperation(op, records, {
        path: `${path}${path.includes('?') ? '&' : '?'}${query}`,
      })
      expect({ query, status: response.status }).toEqual({ query, status: 200 })
      return (await response.arrayBuffer()).byteLength
    }
    const queries = listLargestQueries(op)
    const ofOne = await bytes(queries[0] ?? '')
    const most = growsWithoutLimit(op) ? MAX_COPIES_WITHOUT_LIMIT : MAX_COPIES
    const copies = Math.min(most, Math.ceil(STORED_BYTES / ofOne) + 1)
    await copyNewestRow(MAKERS[kind]?.table ?? '', here.subscriptionId, copies, MAKERS[kind]?.copied)
    await ADD_CHILDREN[kind]?.(made)
    for (const query of queries) {
      const ofAll = await bytes(query)
      expect({ query, bytes: ofAll, isBelowLimit: ofAll < MAX_BYTES }).toEqual({
        query,
        bytes: ofAll,
        isBelowLimit: true,
      })
      largestResponseBytes.set(op.id, Math.max(largestResponseBytes.get(op.id) ?? 0, ofAll))
    }
  },
)

const exportedKindOf = ({ path }: AnyOperation) => parameterFor(path.replace(/\/export$/, '')) ?? 'epic_external_key'

test.each(eachOperation((op) => op.streamedTypes && queryParametersOf(op).format))(
  '%s streams pieces of at most 4 MB when the texts of its records are long',
  async (_, op) => {
    const made = await createScenario()
    const { here, records } = made
    const kind = exportedKindOf(op)
    await records.value(kind)
    await storeLongestTexts(kind, made)
    const path = `${await records.path(op.path)}?format=ndjson`
    const readPieces = async () => {
      const { response } = await sendOperation(op, records, { path })
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const sizes: number[] = []
      let lines = 0
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        sizes.push(next.value.byteLength)
        lines += new TextDecoder().decode(next.value).split('\n').length - 1
      }
      return { sizes, lines }
    }
    const {
      sizes: [ofOne = 1],
      lines: linesOfOne,
    } = await readPieces()
    const copies = Math.min(MAX_COPIES_WITHOUT_LIMIT, Math.ceil(STORED_BYTES / ofOne) + 1)
    await copyNewestRow(MAKERS[kind]?.table ?? '', here.subscriptionId, copies, MAKERS[kind]?.copied)
    const { sizes, lines } = await readPieces()
    expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES)
    expect(lines).toBe(linesOfOne + copies)
  },
)

test.each(eachOperation((op) => returnsArray(op) && op.method === 'post'))(
  '%s returns at most 4 MB when it has many recipients',
  async (_, op) => {
    const { here, records } = await createScenario()
    const segmentId = await records.value('segmentId')
    await execute(
      { here, records },
      `UPDATE users SET email = ?2 WHERE subscription_id = ?1 AND id IN (SELECT user_id FROM segment_members)`,
      `${'a'.repeat(60)}@${Array(3).fill('b'.repeat(58)).join('.')}.com`,
    )
    await copyNewestRow('segment_members', here.subscriptionId, RECIPIENT_COUNT)
    const given = await validRequest(op, records)
    const { results } = await execute(
      { here, records },
      'SELECT user_id AS id FROM segment_members WHERE subscription_id = ?1 AND segment_id = ?2 LIMIT 10000',
      segmentId,
    )
    const userIds = (results as { id: number }[]).map(({ id }) => id)
    const json = op.id === 'sendMembersEmail' ? { subject: 'Hi', html: '<p>Hi</p>', userIds } : given.json
    const { response } = await sendOperation(op, records, { path: await records.path(op.path), json })
    expect(response.status).toBe(200)
    const ofAll = (await response.arrayBuffer()).byteLength
    expect(ofAll).toBeLessThan(MAX_BYTES)
    largestResponseBytes.set(op.id, ofAll)
  },
)

test('the tests above include pages that end at the byte limit', () => {
  const full = [...largestResponseBytes].filter(([, bytes]) => bytes > 3_000_000).map(([id]) => id)
  expect(full).toEqual(expect.arrayContaining(['listEvents', 'listEpics', 'listFeedbackItems', 'listKpis']))
})
