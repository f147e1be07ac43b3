import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AnyOperation } from '../../src/http/operation'
import { fileForm, PIXEL_PNG } from '../world'
import { eventsDuring } from './log'
import { createScenario, operationTable } from './table'

const { here } = await createScenario()
const PRODUCT_PATH = `/api/initiatives/${here.product.externalKey}`

/** The data of a record. The test compares the linked ids only, because the rest of a file belongs to the file. */
type RecordData = Record<string, unknown>
const LINK_FIELDS = [
  'kpis',
  'workItems',
  'files',
  'ideas',
  'artifactId',
  'work_item_external_id',
  'features',
  'userStories',
]
const CHILD_FIELDS = ['features', 'userStories']

interface Snapshot {
  links: Record<string, unknown[]>
  data: RecordData
  version: number
  etag: string
}

const linkedIdOf = (one: unknown) => (one as { file?: { id: number } } | null)?.file?.id ?? one

async function readSnapshot(path: string): Promise<Snapshot | undefined> {
  const { status, body, headers } = await here.client<RecordData>('GET', path)
  if (status === 404) return undefined
  const etag = headers.get('etag') ?? ''
  const links = Object.fromEntries(
    LINK_FIELDS.flatMap((name) => (name in body.data ? [[name, [body.data[name]].flat().map(linkedIdOf)]] : [])),
  )
  return { links, data: body.data, version: Number(/^"v(\d+)/.exec(etag)?.[1]), etag }
}

const createRecord = async <T = { id: number; externalKey: string }>(path: string, json: object) => {
  const { body } = await here.client<T>('POST', path, { json })
  expect({ path, success: body.success }).toEqual({ path, success: true })
  return body.data
}

/** Creates records with a link of each kind, by name. */
async function createLinkScenario() {
  const all: Record<string, { key: string; id: number; path: string }> = {}
  const add = (name: string, key: string, id: number, path: string) => {
    all[name] = { key, id, path: `${path}/${key}` }
    return { key, id }
  }
  const epic = async (name: string, json: object = {}) => {
    const made = await createRecord<{ epicId: number; externalKey: string }>(`${PRODUCT_PATH}/epics`, {
      summary: name,
      ...json,
    })
    return add(name, made.externalKey, made.epicId, `${PRODUCT_PATH}/epics`)
  }
  const feature = async (name: string, json: object) => {
    const made = await createRecord<{ featureId: number; externalKey: string }>(`${PRODUCT_PATH}/features`, {
      summary: name,
      ...json,
    })
    return add(name, made.externalKey, made.featureId, `${PRODUCT_PATH}/features`)
  }
  const story = async (name: string, json: object) => {
    const made = await createRecord<{ cardId: number; externalKey: string }>(`${PRODUCT_PATH}/storyMap/card`, {
      summary: name,
      ...json,
    })
    return add(name, made.externalKey, made.cardId, `${PRODUCT_PATH}/storyMap/card`)
  }
  const kpi = async (name: string, workItems: string[]) => {
    const made = await createRecord(`${PRODUCT_PATH}/kpi`, { title: name, workItems })
    return add(name, made.externalKey, made.id, `${PRODUCT_PATH}/kpi`)
  }
  const file = async (name: string, artifactKey?: string) => {
    const { body } = await here.client<{ id: number }>('POST', `${PRODUCT_PATH}/assets`, {
      raw: fileForm('file', PIXEL_PNG, 'pixel.png', 'image/png'),
    })
    add(name, String(body.data.id), body.data.id, `${PRODUCT_PATH}/assets`)
    if (artifactKey) await here.client('PUT', `${PRODUCT_PATH}/assets/${body.data.id}`, { json: { artifactKey } })
  }
  const idea = async (name: string) => {
    const json = { title: name, product: here.product.externalKey }
    const made = await createRecord<{ id: number; external_key: string }>('/api/feedback-items', json)
    return add(name, made.external_key, made.id, '/api/feedback-items')
  }
  const [e1, e2] = [await epic('e1'), await epic('e2')]
  const [f1, f2] = [await feature('f1', { epicId: e1.id }), await feature('f2', { epicId: e2.id })]
  const s1 = await story('s1', { featureId: f1.id })
  await story('s2', { epicId: e1.id })
  await kpi('k1', [e1.key, s1.key])
  await kpi('k2', [f2.key])
  await file('a1', e1.key)
  await file('a2')
  await idea('i1')
  await idea('i2')
  const at = (name: string) => {
    const found = all[name]
    if (!found) throw new Error(`The scene has no ${name}`)
    return found
  }
  const promoted = await createRecord<{ work_item_external_id: string; work_item_internal_id: number }>(
    `${at('i2').path}/promote`,
    { type: 'epic' },
  )
  add('e3', promoted.work_item_external_id, promoted.work_item_internal_id, `${PRODUCT_PATH}/epics`)
  return { all, at, key: (name: string) => at(name).key, id: (name: string) => at(name).id }
}

type LinkScenario = Awaited<ReturnType<typeof createLinkScenario>>
type RequestParts = readonly [method: string, path: string, json?: unknown]

interface LinkWrite {
  operationId: string
  /** Names of the records that gain or lose a shown link. */
  changedNames: string
  before?: (at: LinkScenario) => RequestParts
  send: (at: LinkScenario) => RequestParts
}

const put = (name: string, json: (at: LinkScenario) => unknown) => (at: LinkScenario) =>
  ['PUT', at.at(name).path, json(at)] as const
const remove = (name: string) => (at: LinkScenario) => ['DELETE', at.at(name).path] as const
const cascade = (name: string) => (at: LinkScenario) => ['DELETE', `${at.at(name).path}?cascade=true`] as const
const restore = (name: string) => (at: LinkScenario) => ['POST', `${at.at(name).path}/restore`] as const
const bulk = (operations: (at: LinkScenario) => unknown[]) => (at: LinkScenario) =>
  ['POST', `${PRODUCT_PATH}/backlog/bulk`, operations(at)] as const
const update = (at: LinkScenario, type: string, name: string, body: object) => ({
  ...{ op: 'update', type, externalKey: at.key(name), body },
})
const files = (at: LinkScenario, ...names: string[]) => names.map((name) => ({ file: { id: at.id(name) } }))

const WRITES: Record<string, LinkWrite> = {
  'a KPI names other items': {
    operationId: 'modifyKpi',
    changedNames: 'k1 e1 f2',
    send: put('k1', ({ key }) => ({ workItems: [key('s1'), key('f2')] })),
  },
  'a KPI names none': {
    operationId: 'modifyKpi',
    changedNames: 'k1 e1 s1',
    send: put('k1', () => ({ workItems: [] })),
  },
  'a new KPI names an item': {
    operationId: 'createKpi',
    changedNames: 'e1',
    send: ({ key }) => ['POST', `${PRODUCT_PATH}/kpi`, { title: 'New', workItems: [key('e1')] }],
  },
  'an epic names other KPIs': {
    operationId: 'modifyEpic',
    changedNames: 'e1 k1 k2',
    send: put('e1', ({ key }) => ({ kpis: [key('k2')] })),
  },
  'a feature names none': {
    operationId: 'modifyFeature',
    changedNames: 'f2 k2',
    send: put('f2', () => ({ kpis: [] })),
  },
  'a story names one more': {
    operationId: 'modifyUserStory',
    changedNames: 's1 k2',
    send: put('s1', ({ key }) => ({ kpis: [key('k1'), key('k2')] })),
  },
  ...Object.fromEntries(
    [
      ['an epic', 'createEpic', 'epics'],
      ['a feature', 'createFeature', 'features'],
      ['a story', 'createUserStory', 'storyMap/card'],
    ].map(([what, operationId = '', path]): [string, LinkWrite] => [
      `${what} is created with KPIs and files`,
      {
        ...{ operationId, changedNames: 'k1 k2 a2' },
        send: (at) => [
          ...(['POST', `${PRODUCT_PATH}/${path}`] as const),
          { summary: 'New', kpis: [at.key('k1'), at.key('k2')], files: files(at, 'a2') },
        ],
      },
    ]),
  ),
  'another system sends a story with KPIs and files': {
    operationId: 'upsertWorkItem',
    changedNames: 'k1 a1',
    send: (at) => [
      ...(['PUT', `${PRODUCT_PATH}/backlog/external/linear/${at.key('k1')}-links`] as const),
      { type: 'userstory', summary: 'Theirs', kpis: [at.key('k1')], files: files(at, 'a1') },
    ],
  },
  'a bulk request creates items with KPIs and files': {
    operationId: 'bulkBacklog',
    changedNames: 'k1 k2 a1 a2',
    send: bulk((at) => [
      { op: 'create', type: 'epic', body: { summary: 'New', kpis: [at.key('k1')], files: files(at, 'a1') } },
      { op: 'create', type: 'userstory', body: { summary: 'New', kpis: [at.key('k1'), at.key('k2')] } },
      { op: 'create', type: 'feature', body: { summary: 'New', files: files(at, 'a2') } },
    ]),
  },
  'a bulk request changes KPIs': {
    operationId: 'bulkBacklog',
    changedNames: 'e1 e2 s1 f2 k1 k2',
    send: bulk((at) => [
      update(at, 'epic', 'e1', { kpis: [] }),
      update(at, 'epic', 'e2', { kpis: [at.key('k1')] }),
      update(at, 'userstory', 's1', { kpis: [at.key('k1'), at.key('k2')] }),
      update(at, 'feature', 'f2', { kpis: [] }),
      update(at, 'feature', 'f1', { kpis: [] }),
    ]),
  },
  'a file is attached': {
    operationId: 'modifyAsset',
    changedNames: 'e1 a2',
    send: put('a2', ({ key }) => ({ artifactKey: key('e1') })),
  },
  'a file is detached': {
    operationId: 'modifyAsset',
    changedNames: 'e1 a1',
    send: put('a1', () => ({ artifactKey: null })),
  },
  'an item takes a file': {
    operationId: 'modifyEpic',
    changedNames: 'e2 a1',
    send: put('e2', (at) => ({ files: files(at, 'a1') })),
  },
  'a bulk request changes files': {
    operationId: 'bulkBacklog',
    changedNames: 'e1 f1 a1 a2',
    send: bulk((at) => [
      update(at, 'epic', 'e1', { files: [] }),
      update(at, 'feature', 'f1', { files: files(at, 'a1', 'a2') }),
    ]),
  },
  'a feature moves': {
    operationId: 'modifyFeature',
    changedNames: 'e1',
    send: put('f1', ({ id }) => ({ epicId: id('e2') })),
  },
  'a story moves to a feature': {
    operationId: 'modifyUserStory',
    changedNames: 'e1',
    send: put('s2', ({ id }) => ({ featureId: id('f2') })),
  },
  'a story leaves its feature': {
    operationId: 'modifyUserStory',
    changedNames: 'f1',
    send: put('s1', ({ id }) => ({ epicId: id('e1'), featureId: 0 })),
  },
  'an epic takes features': {
    operationId: 'modifyEpic',
    changedNames: 'e1',
    send: put('e2', ({ key }) => ({ features: [key('f1')], userStories: [key('s2')] })),
  },
  'a feature takes stories': {
    operationId: 'modifyFeature',
    changedNames: 'e1 f1',
    send: put('f2', ({ key }) => ({ userStories: [key('s1'), key('s2')] })),
  },
  'a new epic takes a feature': {
    operationId: 'createEpic',
    changedNames: 'e1',
    send: ({ key }) => ['POST', `${PRODUCT_PATH}/epics`, { summary: 'New', features: [key('f1')] }],
  },
  'a new feature takes a story': {
    operationId: 'createFeature',
    changedNames: 'e1 f1',
    send: ({ key }) => ['POST', `${PRODUCT_PATH}/features`, { summary: 'New', userStories: [key('s1')] }],
  },
  'another system sends an epic with features': {
    operationId: 'upsertWorkItem',
    changedNames: 'e1',
    send: ({ key }) => [
      ...(['PUT', `${PRODUCT_PATH}/backlog/external/linear/${key('k1')}`] as const),
      { type: 'epic', summary: 'Theirs', features: [key('f1')] },
    ],
  },
  'a bulk request moves items': {
    operationId: 'bulkBacklog',
    changedNames: 'e1 f1',
    send: bulk((at) => [
      update(at, 'feature', 'f1', { epicId: at.id('e2') }),
      update(at, 'userstory', 's1', { featureId: at.id('f2') }),
    ]),
  },
  'a bulk request gives an epic children': {
    operationId: 'bulkBacklog',
    changedNames: 'e1',
    send: bulk((at) => [update(at, 'epic', 'e2', { features: [at.key('f1')], userStories: [at.key('s2')] })]),
  },
  'an idea becomes an item': {
    operationId: 'promoteFeedbackItem',
    changedNames: 'i1',
    send: ({ at }) => ['POST', `${at('i1').path}/promote`, { type: 'epic' }],
  },
  'an idea is linked to an item': {
    operationId: 'linkFeedbackItem',
    changedNames: 'e1 i1',
    send: ({ at }) => ['POST', `${at('i1').path}/link`, { workItem: at('e1').key }],
  },
  'an idea is promoted into an item': {
    operationId: 'promoteFeedbackItem',
    changedNames: 'e1 i1',
    send: ({ at }) => ['POST', `${at('i1').path}/promote`, { into: at('e1').key }],
  },
  'an idea is unlinked from an item': {
    operationId: 'unlinkFeedbackItem',
    changedNames: 'e3 i2',
    send: ({ at }) => ['DELETE', `${at('i2').path}/link`],
  },
  'a story is removed': { operationId: 'removeUserStory', changedNames: 'k1', send: remove('s1') },
  'a story is restored': {
    operationId: 'restoreUserStory',
    changedNames: 'k1',
    before: remove('s1'),
    send: restore('s1'),
  },
  'an epic is removed': { operationId: 'removeEpic', changedNames: 'k1', send: remove('e1') },
  'a feature is removed': { operationId: 'removeFeature', changedNames: 'k2', send: remove('f2') },
  'an epic is removed with its items': { operationId: 'removeEpic', changedNames: 'k1', send: cascade('e1') },
  'an epic is restored with its items': {
    operationId: 'restoreEpic',
    changedNames: 'k1',
    before: cascade('e1'),
    send: restore('e1'),
  },
  'a bulk request removes items': {
    operationId: 'bulkBacklog',
    changedNames: 'k1 k2',
    send: bulk((at) => [
      { op: 'delete', type: 'feature', externalKey: at.key('f2') },
      { op: 'delete', type: 'userstory', externalKey: at.key('s1') },
    ]),
  },
  'a KPI is removed': { operationId: 'removeKpi', changedNames: 'e1 s1', send: remove('k1') },
  'a KPI is restored': { operationId: 'restoreKpi', changedNames: 'e1 s1', before: remove('k1'), send: restore('k1') },
  'a file is removed': { operationId: 'removeAsset', changedNames: 'e1', send: remove('a1') },
  'a file is restored': { operationId: 'restoreAsset', changedNames: 'e1', before: remove('a1'), send: restore('a1') },
}

const sendParts = (path: RequestParts) =>
  here.client<unknown>(path[0], path[1], path[2] === undefined ? {} : { json: path[2] })

describe('a link change raises the version of both ends and emits an event for both', () => {
  test.each(Object.entries(WRITES))('%s', async (_, write) => {
    const at = await createLinkScenario()
    if (write.before) expect((await sendParts(write.before(at))).status).toBe(200)
    const names = Object.keys(at.all)
    const look = async () =>
      new Map(await Promise.all(names.map(async (name) => [name, await readSnapshot(at.at(name).path)] as const)))
    const before = await look()
    const sent = write.send(at)
    const [answer, events] = await eventsDuring(here, () => sendParts(sent))
    const { status } = answer
    expect({ status, success: answer.body.success }).toEqual({ status, success: true })
    const after = await look()

    const changed: string[] = []
    for (const name of names) {
      const [was, is] = [before.get(name), after.get(name)]
      if (!was || !is) continue
      // A special event, like feedback.promoted, may stand beside.
      const own = events.filter(
        ({ resourceKey, type }) => resourceKey === at.key(name) && /\.(created|updated|deleted|restored)$/.test(type),
      )
      // Equal ETags must mean equal bodies, otherwise If-None-Match would hide a change.
      const isSameBody = JSON.stringify(was.data) === JSON.stringify(is.data)
      expect({ name, isSameEtag: was.etag === is.etag }).toEqual({ name, isSameEtag: isSameBody })
      // A PUT adds children and drops none, so a new child does not count as a lost update.
      const isThere = (key: unknown) => names.some((one) => at.key(one) === key && after.get(one))
      const differs = Object.keys(was.links).filter((link) =>
        CHILD_FIELDS.includes(link)
          ? was.links[link]?.some((one) => isThere(one) && !is.links[link]?.includes(one))
          : JSON.stringify(was.links[link]) !== JSON.stringify(is.links[link]),
      )
      if (!differs.length) continue
      changed.push(name)
      expect({ name, isNewVersion: is.version > was.version }).toEqual({ name, isNewVersion: true })
      // The event of a moved child names the former parent.
      if (differs.every((link) => CHILD_FIELDS.includes(link))) continue
      const [event, ...others] = own.filter(({ data }) => JSON.stringify(data) === JSON.stringify(is.data))
      expect({ name, data: event?.data, others }).toEqual({ name, data: is.data, others: [] })
      expect(event?.previous).toMatchObject(Object.fromEntries(differs.map((link) => [link, was.data[link]])))
      expect(event?.productId).toBe(here.product.id)
    }
    expect(changed.toSorted()).toEqual(write.changedNames.split(' ').toSorted())
    // A repeated PUT changes nothing and writes nothing.
    if (sent[0] !== 'PUT') return
    const [again, more] = await eventsDuring(here, () => sendParts(sent))
    expect({ status: again.status, rowsWritten: again.cost.rowsWritten, events: more }).toEqual({
      status: 200,
      rowsWritten: 0,
      events: [],
    })
  })
})

/** Members of bodies with a link shown by both records. */
const LINK_MEMBERS = ['workItems', 'kpis', 'files', 'artifactKey', 'features', 'userStories', 'epicId', 'featureId']
/** Operations with a link that a single record shows. */
const ONE_SIDED = ['createExperiment', 'modifyExperiment', 'submitPortalIdea']

test('every operation whose body links records is in the table of this test', () => {
  const links = (op: AnyOperation) =>
    op.body instanceof z.ZodObject && LINK_MEMBERS.some((name) => name in (op.body as z.ZodObject).shape)
  const named = new Set(Object.values(WRITES).map(({ operationId }) => operationId))
  const found = operationTable.filter(links).map(({ id }) => id)
  expect(found.length).toBeGreaterThan(5)
  const missing = found.filter((id) => !named.has(id) && !ONE_SIDED.includes(id))
  expect(missing, 'Add a line for the operation to WRITES, or to ONE_SIDED if the other record shows no link.').toEqual(
    [],
  )
  const unknown = [...named].filter((id) => !operationTable.some((op) => op.id === id))
  expect(unknown, 'Remove or rename the line in WRITES.').toEqual([])
})
