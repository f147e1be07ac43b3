import { expect, test } from 'vitest'
import * as z from 'zod'
import { lastParameter } from '../world'
import { eventsDuring } from './log'
import { callOperation, createScenario, eachOperation, operationAt } from './table'

const { here, records } = await createScenario()

function listNullableMembers(body: z.ZodType | undefined): string[] {
  if (!(body instanceof z.ZodObject)) return []
  const members = Object.entries(body.shape as Record<string, z.ZodType>)
  return members.filter(([, schema]) => schema.safeParse(null).success).map(([name]) => name)
}

const nullableUpdates = eachOperation(
  (op) => op.method === 'put' && operationAt('get', op.path) && listNullableMembers(op.body).length,
)

test.each(nullableUpdates)('%s changes nothing when null replaces null', async (_, op) => {
  const path = await records.withFresh(lastParameter(op.path)).path(op.path)
  for (const name of listNullableMembers(op.body)) {
    const { body: before } = await here.client<Record<string, unknown>>('GET', path)
    const [answer, events] = await eventsDuring(here, () =>
      callOperation(op, records, { path, json: { [name]: null } }),
    )
    if (answer.status !== 200) continue
    const changed = events.map(({ type, previous }) => ({ type, previous }))
    if (before.data[name] === null || before.data[name] === undefined) {
      expect({ name, rowsWritten: answer.cost.rowsWritten, changed }).toEqual({ name, rowsWritten: 0, changed: [] })
    }
    const [again, repeated] = await eventsDuring(here, () =>
      callOperation(op, records, { path, json: { [name]: null } }),
    )
    expect({ name, rowsWritten: again.cost.rowsWritten, repeated }).toEqual({ name, rowsWritten: 0, repeated: [] })
  }
})

interface HiddenLink {
  /** The record with the link, the path for creating the record, and the linked record. */
  holder: string
  holderBody: object
  holderPath(created: { id: number; externalKey: string }): string
  target: string
  targetBody: object
  targetPath(created: { id: number; externalKey: string }): string
  member: string
  link: 'id' | 'externalKey'
}

const PRODUCT_PATH = `/api/initiatives/${here.product.externalKey}`
const hiddenLinks: Record<string, HiddenLink> = {
  'the board segment of a persona': {
    holder: '/api/v2/persona',
    holderBody: { name: 'Ada' },
    holderPath: ({ externalKey }) => `/api/v2/persona/${externalKey}`,
    target: '/api/v2/persona-board/segments',
    targetBody: { name: 'Buyers' },
    targetPath: ({ id }) => `/api/v2/persona-board/segments/${id}`,
    member: 'boardSegmentId',
    link: 'id',
  },
  'the KPI of an experiment': {
    holder: `${PRODUCT_PATH}/experiments`,
    holderBody: { title: 'One page' },
    holderPath: ({ externalKey }) => `${PRODUCT_PATH}/experiments/${externalKey}`,
    target: `${PRODUCT_PATH}/kpi`,
    targetBody: { title: 'Signups' },
    targetPath: ({ externalKey }) => `${PRODUCT_PATH}/kpi/${externalKey}`,
    member: 'kpi',
    link: 'externalKey',
  },
}

interface Created {
  id: number
  externalKey: string
}

test.each(Object.entries(hiddenLinks))(
  'null for a removed %s changes nothing, and a restore shows the link again',
  async (_, of) => {
    const target = (await here.client<Created>('POST', of.target, { json: of.targetBody })).body.data
    const linked = { ...of.holderBody, [of.member]: target[of.link] }
    const holder = (await here.client<Created>('POST', of.holder, { json: linked })).body.data
    const path = of.holderPath(holder)
    await here.client('DELETE', of.targetPath(target))
    const read = async () => (await here.client<Record<string, unknown>>('GET', path)).body.data[of.member]
    expect(await read()).toBeNull()

    const [same, none] = await eventsDuring(here, () => here.client('PUT', path, { json: { [of.member]: null } }))
    expect({ status: same.status, rowsWritten: same.cost.rowsWritten, events: none }).toEqual({
      status: 200,
      rowsWritten: 0,
      events: [],
    })
    const json = { [of.member]: null, color: '#112233', title: 'Other', name: 'Other' }
    const some = Object.fromEntries(
      Object.entries(json).filter(([name]) => name === of.member || name in of.holderBody),
    )
    const [, events] = await eventsDuring(here, () => here.client('PUT', path, { json: some }))
    expect(events.map(({ previous }) => Object.keys(previous ?? {}))).toEqual([Object.keys(of.holderBody)])
    await here.client('POST', `${of.targetPath(target)}/restore`)
    expect(await read()).toBe(target[of.link])

    await here.client('PUT', path, { json: { [of.member]: null } })
    expect(await read()).toBeNull()
  },
)
