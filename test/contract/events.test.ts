import { describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { lastParameter, prepared, restores } from '../world'
import { readerBelow, toldDuring } from './log'
import { at, each, perform, stage, valid } from './table'

// The log stores no names of people, so an event has neither previous names nor the names of a removed user.
const ofPeople = (op: AnyOperation) => op.tag === 'Users' || op.tag === 'Members'

const { here, records } = await stage()

describe('what changes nothing writes nothing and tells nothing', () => {
  const modifies = (op: AnyOperation) => op.method === 'put'
  // The response describes the change, so a second response differs.
  const SAYS = new Set(['manageSegmentUsers', 'reinviteMembers'])

  test.each(each(modifies))('%s, with the values that the record has', async (_, op) => {
    const path = await (await prepared(op, records)).path(op.path)
    const sent = { ...(await valid(op, records)), path }
    const first = await perform(op, records, sent)
    const [again, events] = await toldDuring(here, () => perform(op, records, sent))
    // A second PUT returns the status for an existing record.
    expect(again.status).toBe(op.otherStatus ?? op.status ?? 200)
    if (!SAYS.has(op.id)) expect(again.body).toEqual(first.body)
    expect(again.cost.rowsWritten).toBe(0)
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(events).toEqual([])
  })

  const empty = (op: AnyOperation) => modifies(op) && op.body?.safeParse({}).success
  test.each(each(empty))('%s, with nothing', async (_, op) => {
    const path = await (await prepared(op, records)).path(op.path)
    const [answer, events] = await toldDuring(here, () => perform(op, records, { path, json: {} }))
    expect([answer.status, answer.cost.rowsWritten, events]).toEqual([op.status ?? 200, 0, []])
  })

  test.each(each(restores))('%s, of what is not removed', async (_, op) => {
    const path = await records.path(op.path)
    const read = () => here.client<unknown>('GET', path.replace(/\/restore$/, ''))
    const before = await read()
    const [answer, events] = await toldDuring(here, () => perform(op, records, { path }))
    expect([answer.status, answer.cost.rowsWritten, events]).toEqual([op.status ?? 200, 0, []])
    const after = await read()
    expect([after.status, after.body, after.headers.get('etag')]).toEqual([
      before.status,
      before.body,
      before.headers.get('etag'),
    ])
  })
})

describe('an event holds the record as its GET answers it', () => {
  const creates = (op: AnyOperation) => op.method === 'post' && readerBelow(op.path)
  test.each(each(creates))('of %s', async (_, op) => {
    const [answer, events] = await toldDuring(here, () => perform(op, records))
    const created = events.find(({ type }) => type.endsWith('.created'))
    const at = answer.headers.get('location') ?? `${await records.path(op.path)}/${created?.resourceKey}`
    const { body } = await here.client<object>('GET', at)
    expect(created?.data).toEqual(body.data)
    expect(created?.previous).toBeNull()
  })

  const modifies = (op: AnyOperation) => op.method === 'put' && at('get', op.path)
  test.each(each(modifies))('of %s, and what the changed fields were', async (_, op) => {
    const path = await records.fresh(lastParameter(op.path)).path(op.path)
    const before = (await here.client<Record<string, unknown>>('GET', path)).body.data
    const { json } = await valid(op, records)
    // The body repeats some of the record's values, so only real changes may count as changed.
    const present = Object.entries(before).filter(
      ([name, value]) => typeof value === 'string' && op.body?.safeParse({ [name]: value }).success,
    )
    const sent = { ...Object.fromEntries(present), ...(json as object) }
    const [, events] = await toldDuring(here, () => perform(op, records, { path, json: sent }))
    const after = (await here.client<Record<string, unknown>>('GET', path)).body.data
    expect(events.map(({ type }) => type)).toEqual([expect.stringMatching(/updated$/)])
    expect(events[0]?.data).toEqual(after)
    const changed = Object.keys(before).filter(
      (name) =>
        JSON.stringify(before[name]) !== JSON.stringify(after[name]) && !/^(created|updated)(At|_at)$/.test(name),
    )
    expect(changed.length).toBeGreaterThan(0)
    expect(Object.keys(events[0]?.previous ?? {}).sort()).toEqual(changed.toSorted())
    if (ofPeople(op)) return
    expect(events[0]?.previous).toEqual(Object.fromEntries(changed.map((name) => [name, before[name]])))
  })

  // A revoked key is not removed, and its event has the key after the revocation.
  const removes = (op: AnyOperation) =>
    op.method === 'delete' && op.id !== 'revokeApiKey' && !ofPeople(op) && at('get', op.path)
  test.each(each(removes))('of %s, as it was', async (_, op) => {
    const path = await (await prepared(op, records)).path(op.path)
    const { body } = await here.client<object>('GET', path)
    const [, events] = await toldDuring(here, () => perform(op, records, { path }))
    const told = events.filter(({ type }) => type.endsWith('.deleted'))
    expect(told.map(({ data }) => data)).toContainEqual(body.data)
  })

  const returns = (op: AnyOperation) => restores(op) && at('get', op.path.replace(/\/restore$/, ''))
  test.each(each(returns))('of %s', async (_, op) => {
    const path = await (await prepared(op, records)).path(op.path)
    const [, events] = await toldDuring(here, () => perform(op, records, { path }))
    const { body } = await here.client<object>('GET', path.replace(/\/restore$/, ''))
    const told = events.filter(({ type }) => type.endsWith('.restored'))
    expect(told.map(({ data }) => data)).toContainEqual(body.data)
  })
})
