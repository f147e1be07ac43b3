import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { isRestore, lastParameter, prepareRecords } from '../world'
import { eventsDuring, findReadOperation } from './log'
import { callOperation, createScenario, eachOperation, operationAt, validRequest } from './table'

// The log stores no names of people, so an event has neither previous names nor the names of a removed user.
const concernsPeople = (op: AnyOperation) => op.tag === 'Users' || op.tag === 'Members'

// A portal shows other fields of an idea than the record of the event.
const recordPathOf = (path: string) => path.replace(/^\/api\/v2\/portal\/[^/]+\/ideas\//, '/api/feedback-items/')

const bodyMembersOf = ({ body }: AnyOperation) => (body instanceof z.ZodObject ? body.shape : {})

const { here, records } = await createScenario()

describe('a write without a change writes no rows and emits no event', () => {
  const modifies = (op: AnyOperation) => op.method === 'put'
  // The response describes the change, so a second response differs.
  const SAYS = new Set(['manageSegmentUsers', 'reinviteMembers'])
  // A bulk request stores its operations while the batch runs: one operation, its index row, and the removal of both.
  const STAGED_ROWS: Record<string, number> = { bulkFeedbackItems: 4 }

  test.each(eachOperation(modifies))('%s with the present values', async (_, op) => {
    const path = await (await prepareRecords(op, records)).path(op.path)
    const sent = { ...(await validRequest(op, records)), path }
    const first = await callOperation(op, records, sent)
    const [again, events] = await eventsDuring(here, () => callOperation(op, records, sent))
    // A second PUT returns the status for an existing record.
    expect(again.status).toBe(op.alternativeStatus ?? op.status ?? 200)
    if (!SAYS.has(op.id)) expect(again.body).toEqual(first.body)
    expect(again.cost.rowsWritten).toBeLessThanOrEqual(STAGED_ROWS[op.id] ?? 0)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(events).toEqual([])
  })

  const empty = (op: AnyOperation) => modifies(op) && op.body?.safeParse({}).success
  test.each(eachOperation(empty))('%s with an empty body', async (_, op) => {
    const path = await (await prepareRecords(op, records)).path(op.path)
    const [answer, events] = await eventsDuring(here, () => callOperation(op, records, { path, json: {} }))
    const { status, cost } = answer
    expect({ status, rowsWritten: cost.rowsWritten, events }).toEqual({
      status: op.status ?? 200,
      rowsWritten: 0,
      events: [],
    })
  })

  test.each(eachOperation(isRestore))('%s for a record that is not removed', async (_, op) => {
    const path = await records.path(op.path)
    const read = () => here.client<unknown>('GET', path.replace(/\/restore$/, ''))
    const before = await read()
    const [answer, events] = await eventsDuring(here, () => callOperation(op, records, { path }))
    const { status, cost } = answer
    expect({ status, rowsWritten: cost.rowsWritten, events }).toEqual({
      status: op.status ?? 200,
      rowsWritten: 0,
      events: [],
    })
    const after = await read()
    expect({ status: after.status, body: after.body, etag: after.headers.get('etag') }).toEqual({
      status: before.status,
      body: before.body,
      etag: before.headers.get('etag'),
    })
  })
})

describe('an event holds the record as its GET returns it', () => {
  const creates = (op: AnyOperation) => op.method === 'post' && findReadOperation(op.path)
  test.each(eachOperation(creates))('the created event of %s', async (_, op) => {
    const [answer, events] = await eventsDuring(here, () => callOperation(op, records))
    const created = events.findLast(({ type }) => type.endsWith('.created'))
    const at = answer.headers.get('location') ?? `${await records.path(op.path)}/${created?.resourceKey}`
    const { body } = await here.client<object>('GET', recordPathOf(at))
    expect(created?.data).toEqual(body.data)
    expect(created?.previous).toBeNull()
  })

  const modifies = (op: AnyOperation) => op.method === 'put' && operationAt('get', op.path)
  test.each(eachOperation(modifies))(
    'the updated event of %s, with the previous values of changed fields',
    async (_, op) => {
      const path = await (await prepareRecords(op, records.withFresh(lastParameter(op.path)))).path(op.path)
      const read = async () => (await here.client<Record<string, unknown>>('GET', recordPathOf(path))).body.data
      const before = await read()
      const { json } = await validRequest(op, records)
      // The body repeats some of the record's values, so only real changes may count as changed.
      const present = Object.entries(before).filter(
        ([name, value]) =>
          typeof value === 'string' &&
          (op.access !== 'portal' || name in bodyMembersOf(op)) &&
          op.body?.safeParse({ [name]: value }).success,
      )
      const sent = { ...Object.fromEntries(present), ...(json as object) }
      const [, events] = await eventsDuring(here, () => callOperation(op, records, { path, json: sent }))
      const after = await read()
      expect(events.map(({ type }) => type)).toEqual([expect.stringMatching(/updated$/)])
      expect(events[0]?.data).toEqual(after)
      const changed = Object.keys(before).filter(
        (name) =>
          JSON.stringify(before[name]) !== JSON.stringify(after[name]) && !/^(created|updated)(At|_at)$/.test(name),
      )
      expect(changed.length).toBeGreaterThan(0)
      expect(Object.keys(events[0]?.previous ?? {}).sort()).toEqual(changed.toSorted())
      if (concernsPeople(op)) return
      expect(events[0]?.previous).toEqual(Object.fromEntries(changed.map((name) => [name, before[name]])))
    },
  )

  // A revoked key or session is not removed, and its event has the record after the revocation.
  const revocations = ['revokeApiKey', 'endSession']
  const removes = (op: AnyOperation) =>
    op.method === 'delete' && !revocations.includes(op.id) && !concernsPeople(op) && operationAt('get', op.path)
  test.each(eachOperation(removes))('the deleted event of %s, with the last state', async (_, op) => {
    const path = await (await prepareRecords(op, records)).path(op.path)
    const { body } = await here.client<object>('GET', path)
    const [, events] = await eventsDuring(here, () => callOperation(op, records, { path }))
    const deletedEvents = events.filter(({ type }) => type.endsWith('.deleted'))
    expect(deletedEvents.map(({ data }) => data)).toContainEqual(body.data)
  })

  const returns = (op: AnyOperation) => isRestore(op) && operationAt('get', op.path.replace(/\/restore$/, ''))
  test.each(eachOperation(returns))('the restored event of %s', async (_, op) => {
    const path = await (await prepareRecords(op, records)).path(op.path)
    const [, events] = await eventsDuring(here, () => callOperation(op, records, { path }))
    const { body } = await here.client<object>('GET', path.replace(/\/restore$/, ''))
    const restoredEvents = events.filter(({ type }) => type.endsWith('.restored'))
    expect(restoredEvents.map(({ data }) => data)).toContainEqual(body.data)
  })
})
