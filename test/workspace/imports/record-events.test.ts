import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { ImportName } from '../../../src/imports'
import { readClock } from '../../clock'
import { createWorkspace, type Workspace } from '../../factories'
import { simulateImports } from './import-simulation'
import { importFile, type Run } from './scenario'

interface StoredRecord {
  id: number
  key: string
  resource: string
  version: number | string
  deleted: number
}

interface EmittedEvent {
  id: number
  type: string
  resourceKey: string
  data: Record<string, unknown>
  previous: Record<string, unknown> | null
  cascade: Record<string, number> | null
}

const STORED_RECORDS = [
  `SELECT id, external_key AS key, type AS resource, version || ' ' || ifnull(epic_id, 0) || ' ' || ifnull(feature_id, 0) AS version, deleted_at IS NOT NULL AS deleted FROM work_items`,
  `SELECT id, id AS key, 'work_item_comment' AS resource, version, deleted_at IS NOT NULL AS deleted FROM work_item_comments`,
  `SELECT id, id AS key, 'work_item_link' AS resource, 1 AS version, 0 AS deleted FROM work_item_links`,
  `SELECT id, external_key AS key, 'solution_version' AS resource, version, deleted_at IS NOT NULL AS deleted FROM solution_versions`,
  `SELECT id, external_key AS key, 'feedback' AS resource, version, deleted_at IS NOT NULL AS deleted FROM feedback_items`,
  `SELECT id, external_key AS key, 'changelog_entry' AS resource, version, deleted_at IS NOT NULL AS deleted FROM changelog_entries`,
  `SELECT id, id AS key, 'comment' AS resource, version, deleted_at IS NOT NULL AS deleted FROM feedback_comments`,
  `SELECT user_id AS id, (SELECT external_key FROM feedback_items i WHERE i.id = feedback_id) || ' ' || user_id AS key, 'vote' AS resource, type AS version, 0 AS deleted FROM feedback_votes`,
  `SELECT id, id AS key, 'category' AS resource, version, deleted_at IS NOT NULL AS deleted FROM feedback_categories`,
  `SELECT id, id AS key, 'feedback_status' AS resource, version, deleted_at IS NOT NULL AS deleted FROM feedback_statuses`,
  `SELECT id, id AS key, 'tag' AS resource, version, deleted_at IS NOT NULL AS deleted FROM tags`,
  // The event of an author would name the author of an anonymous idea.
  `SELECT id, id AS key, 'member' AS resource, version, deleted_at IS NOT NULL AS deleted FROM (SELECT * FROM users WHERE email <> 'author@example.com')`,
  `SELECT id, id AS key, 'segment' AS resource, 1 AS version, deleted_at IS NOT NULL AS deleted FROM segments`,
]

async function readStoredRecords({ subscriptionId }: Workspace) {
  const found = await env.DB.batch<StoredRecord>(
    STORED_RECORDS.map((text) => env.DB.prepare(`${text} WHERE subscription_id = ?`).bind(subscriptionId)),
  )
  return new Map(found.flatMap(({ results }) => results.map((one) => [`${one.resource} ${one.key}`, one] as const)))
}

type StoredRecords = Awaited<ReturnType<typeof readStoredRecords>>

function listExpectedEvents(before: StoredRecords, after: StoredRecords): string[] {
  const happeningOf = (was: StoredRecord | undefined, is: StoredRecord | undefined) => {
    const [existed, exists] = [was && !was.deleted, is && !is.deleted]
    if (!existed) return exists ? 'created' : undefined
    if (!exists) return 'deleted'
    return was?.version === is?.version ? undefined : 'updated'
  }
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const happening = happeningOf(before.get(name), after.get(name))
    const [resource, key] = name.split(' ')
    return happening ? [`${resource}.${happening} ${key}`] : []
  })
}

function watchEvents(space: Workspace) {
  let [last, stored] = [0, new Map() as StoredRecords]
  const readEvents = async () => {
    const events: EmittedEvent[] = []
    for (;;) {
      const page = await space.client<EmittedEvent[]>('GET', `/api/v2/events?limit=100&after=${last}`)
      events.push(...page.body.data)
      const at = page.body.data.at(-1)?.id
      if (at === undefined) return events
      last = at
    }
  }
  const isOfRecord = ({ type }: EmittedEvent) => /\.(created|updated|deleted|restored)$/.test(type)
  return {
    async start() {
      await readEvents()
      stored = await readStoredRecords(space)
    },
    /** Compares the events since the last call with the changes of the tables, and returns the events. */
    async expectOneEventPerChange(further: string[] = []) {
      const events = (await readEvents()).filter(isOfRecord)
      const now = await readStoredRecords(space)
      expect(events.map(({ type, resourceKey }) => `${type} ${resourceKey}`).toSorted()).toEqual(
        [...listExpectedEvents(stored, now), ...further].toSorted(),
      )
      stored = now
      return events
    },
  }
}

const HEADER = 'Summary,Issue key,Issue Type,Status,Parent,Labels,Fix versions,Outward issue link (Blocks),Comment\n'
const BACKLOG = `${HEADER}Shop,ACME-1,Epic,Open,,web,1.0,,
Checkout,ACME-2,Feature,Open,ACME-1,,1.0,ACME-3,
Pay,ACME-3,Story,Open,ACME-2,web,2.0,,01/Feb/26 9:00 AM;kim@example.com;Soon
Ship,ACME-4,Story,Done,ACME-2,,,ACME-3,
`
const IDEAS = JSON.stringify([
  {
    ...{
      title: 'Dark mode',
      externalSource: 'canny',
      externalId: '1',
      category: 'Design',
      status: 'Later on',
      tags: ['ui'],
      author: 'author@example.com',
    },
    ...{ votes: ['kim@example.com', 'ada@example.com'], comments: [{ text: 'Please', email: 'lee@example.com' }] },
  },
  {
    title: 'Faster start',
    externalSource: 'canny',
    externalId: '2',
    tags: ['speed'],
    votes: ['kim@example.com'],
    followers: ['joe@example.com'],
  },
])
const PEOPLE =
  'email,name,role,segmentNames,plan\nkim@example.com,Kim Li,member,"[""Pilots""]",pro\nnew@example.com,New One,,,free\n'
const MISSING = 'createMissing=statuses,categories,tags,versions,segments'

async function createWatchedWorkspace() {
  const space = await createWorkspace()
  const { client, product } = space
  const watch = watchEvents(space)
  const file = (text: string, name: string) => new File([text], name)
  const run = async (kind: ImportName, text: string, query = '') => {
    const name = text.startsWith('[') ? 'rows.json' : 'rows.csv'
    const made = await importFile<Run>(space, kind, file(text, name), `${MISSING}&${query}`)
    expect(made.status).toBe('completed')
    return made
  }
  return {
    ...{ ...space, ...watch, run },
    at: `/api/initiatives/${product.externalKey}/backlog`,
    undo: async ({ id }: Run) => {
      const { body } = await client<Run>('POST', `/api/v2/imports/${id}/undo`)
      expect(body.data.status).toBe('undone')
    },
  }
}

const cascadesOf = (events: readonly EmittedEvent[]) =>
  Object.fromEntries(
    events.flatMap(({ type, resourceKey, cascade }) => (cascade ? [[`${type} ${resourceKey}`, cascade]] : [])),
  )
const namesOf = (events: readonly EmittedEvent[]) => events.map(({ type, resourceKey }) => `${type} ${resourceKey}`)

test('an import of items and its undo emit one event for each changed record', async () => {
  const here = await createWatchedWorkspace()
  await here.start()
  const made = await here.run('backlog', BACKLOG)
  const created = await here.expectOneEventPerChange()
  expect(namesOf(created)).toEqual(
    expect.arrayContaining(['epic.created EP-1', 'feature.created FE-1', 'solution_version.created SV-2']),
  )
  expect(created.filter(({ type }) => type.startsWith('work_item_link'))).toHaveLength(2)
  for (const { type, resourceKey, data } of created)
    if (/^(epic|feature|userstory)/.test(type))
      expect(data).toEqual((await here.client('GET', `${here.at}/${resourceKey}`)).body.data)
  await here.run('backlog', BACKLOG)
  expect(await here.expectOneEventPerChange()).toEqual([])

  // The feature moves below another epic, with the story that the file does not have.
  await here.client('POST', `/api/initiatives/${here.product.externalKey}/epics`, { json: { summary: 'Other' } })
  await here.start()
  const changed = `${HEADER}Checkout,ACME-2,Feature,Open,EP-2,,1.0,,\nPay,ACME-3,Story,Done,ACME-2,web,3.0,,\n`
  const update = await here.run('backlog', changed, 'onConflict=update')
  const updated = await here.expectOneEventPerChange()
  const { id: other } = (await here.client<{ id: number }>('GET', `${here.at}/EP-2`)).body.data
  const { id: former } = (await here.client<{ id: number }>('GET', `${here.at}/EP-1`)).body.data
  expect(
    Object.fromEntries(updated.map(({ type, resourceKey, previous }) => [`${type} ${resourceKey}`, previous])),
  ).toEqual({
    'feature.updated FE-1': { epicId: former, progressPercentage: 50 },
    'userstory.updated US-1': { epicId: former, progress: 'to-do', progressPercentage: 0, externalProgress: 'Open' },
    'userstory.updated US-2': { epicId: former },
    'solution_version.created SV-3': null,
  })
  for (const { type, resourceKey, data } of updated)
    if (/^(epic|feature|userstory)/.test(type)) {
      expect(data).toEqual((await here.client('GET', `${here.at}/${resourceKey}`)).body.data)
      expect(data).toMatchObject({ epicId: other })
    }
  await here.undo(update)
  const restored = await here.expectOneEventPerChange()
  expect(restored.map(({ type, resourceKey, previous }) => [`${type} ${resourceKey}`, previous])).toEqual(
    expect.arrayContaining([
      ['feature.updated FE-1', { epicId: other, progressPercentage: 100 }],
      ['userstory.updated US-2', { epicId: other }],
      ['userstory.updated US-1', expect.objectContaining({ epicId: other, progress: 'done' })],
      ['solution_version.deleted SV-3', null],
    ]),
  )
  const again = await here.run('backlog', BACKLOG.replaceAll('ACME-', 'NEW-'))
  await here.expectOneEventPerChange()
  await here.undo(again)
  const removed = await here.expectOneEventPerChange()
  expect(namesOf(removed)).toEqual(
    expect.arrayContaining(['epic.deleted EP-3', 'feature.deleted FE-2', 'userstory.deleted US-4']),
  )
  expect(removed).toHaveLength(4 + 2)
  // The undo removes the links before the items, with events of their own.
  expect(cascadesOf(removed)).toEqual({ 'userstory.deleted US-3': { work_item_comment: 1 } })
  expect(made.totals.created).toBe(4)
})

test('an import of ideas and its undo emit one event for each changed record', async () => {
  const here = await createWatchedWorkspace()
  await here.start()
  const made = await here.run('feedback', IDEAS)
  const created = await here.expectOneEventPerChange()
  expect(created.filter(({ type }) => type === 'member.created')).toHaveLength(4)
  expect(created.filter(({ type }) => type === 'tag.created')).toHaveLength(2)
  for (const { type, resourceKey, data } of created)
    if (type.startsWith('feedback.'))
      expect(data).toEqual((await here.client('GET', `/api/feedback-items/${resourceKey}`)).body.data)
  await here.run('feedback', IDEAS)
  expect(await here.expectOneEventPerChange()).toEqual([])
  const update = await here.run(
    'feedback',
    IDEAS.replace('Dark mode', 'Night mode').replace('"ui"', '"ux"'),
    'onConflict=update',
  )
  const updated = await here.expectOneEventPerChange()
  expect(updated.map(({ type, resourceKey, previous }) => [type, resourceKey, previous])).toEqual(
    expect.arrayContaining([
      ['feedback.updated', 'IDEA-1', { title: 'Dark mode', tags: [expect.objectContaining({ key: 'ui' })] }],
    ]),
  )
  await here.undo(update)
  expect((await here.expectOneEventPerChange()).find(({ type }) => type === 'feedback.updated')).toMatchObject({
    data: { title: 'Dark mode' },
    previous: { title: 'Night mode' },
  })
  await here.undo(made)
  const removed = await here.expectOneEventPerChange()
  expect(namesOf(removed)).toContain('feedback.deleted IDEA-2')
  expect(cascadesOf(removed)).toEqual({ 'feedback.deleted IDEA-2': { vote: 1 } })
})

test('an import of changelog entries and its undo emit one event for each changed record', async () => {
  const here = await createWatchedWorkspace()
  await here.run('feedback', IDEAS)
  await here.start()
  const entries = (title: string, ideas: string[]) =>
    JSON.stringify([
      { externalSource: 'headway', externalId: '1', title, content: '<p>x</p>', labels: ['New'], ideas },
      { externalSource: 'headway', externalId: '2', title: 'Two', publishedAt: '2026-01-31' },
    ])
  const made = await here.run('changelog', entries('One', ['IDEA-1']))
  const created = await here.expectOneEventPerChange()
  expect(namesOf(created)).toEqual(['changelog_entry.created CL-1', 'changelog_entry.created CL-2'])
  for (const { resourceKey, data } of created)
    expect(data).toEqual((await here.client('GET', `/api/v2/changelog/${resourceKey}`)).body.data)
  await here.run('changelog', entries('One', ['IDEA-1']), 'onConflict=update')
  expect(await here.expectOneEventPerChange()).toEqual([])
  const update = await here.run('changelog', entries('Uno', ['IDEA-2']), 'onConflict=update')
  expect(await here.expectOneEventPerChange()).toMatchObject([
    { type: 'changelog_entry.updated', resourceKey: 'CL-1', previous: { title: 'One', ideas: ['IDEA-1'] } },
  ])
  await here.undo(update)
  expect(await here.expectOneEventPerChange()).toMatchObject([
    { data: { title: 'One', ideas: ['IDEA-1'] }, previous: { title: 'Uno', ideas: ['IDEA-2'] } },
  ])
  await here.undo(made)
  expect(await here.expectOneEventPerChange()).toMatchObject([{ type: 'changelog_entry.deleted', resourceKey: 'CL-2' }])
})

test('an import of people and its undo emit one event for each changed record', async () => {
  const here = await createWatchedWorkspace()
  const kim = (await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'kim@example.com' } })).body
    .data
  await here.client('DELETE', `/api/v2/users/${kim.id}`)
  const ada = (await here.client<{ id: number }>('POST', '/api/v2/users', { json: { email: 'new@example.com' } })).body
    .data
  await here.start()
  const made = await here.run('people', PEOPLE, 'onConflict=update')
  const events = await here.expectOneEventPerChange()
  expect(events.map(({ type, resourceKey, previous }) => [`${type} ${resourceKey}`, previous])).toEqual(
    expect.arrayContaining([
      [`member.created ${kim.id}`, null],
      [`member.updated ${ada.id}`, { attributes: {} }],
    ]),
  )
  expect(namesOf(events)).toContainEqual(expect.stringMatching(/^segment\.created /))
  await here.undo(made)
  expect(namesOf(await here.expectOneEventPerChange())).toEqual(
    expect.arrayContaining([`member.deleted ${kim.id}`, `member.updated ${ada.id}`]),
  )
})

test('events of a run of many slices are complete, also when each batch dies after its commit', async () => {
  const space = await createWorkspace()
  const watch = watchEvents(space)
  await watch.start()
  // Parents follow their children by more than a slice.
  const rows = Array.from(
    { length: 5_001 },
    (_, n) => `I-${n},${n > 4_900 ? 'Epic' : 'Story'},Item ${n},${n < 50 ? `I-${4_950 + n}` : ''}\n`,
  )
  const run = await importFile<Run>(
    space,
    'backlog',
    new File([`name,type,summary,parent\n${rows.join('')}`], 'rows.csv'),
  )
  expect(run.status).toBe('pending')
  for (let at = 1; at < 20; at++) {
    const it = simulateImports()
    it.now = readClock() + at * 3_600_000
    it.kill = { at: 3, when: 'after' }
    await it.handle({ kind: 'import.run', subscriptionId: space.subscriptionId, importId: run.id }).catch(() => {})
  }
  const { body } = await space.client<Run>('GET', `/api/v2/imports/${run.id}`)
  expect(body.data).toMatchObject({ status: 'completed', totals: { created: 5_001 } })
  // A parent of a later slice changes its children.
  const events = await watch.expectOneEventPerChange(
    Array.from({ length: 50 }, (_, n) => `userstory.updated US-${n + 1}`),
  )
  const latest = new Map(events.map((event) => [event.resourceKey, event]))
  for (const key of ['US-1', 'US-50', 'US-51', 'EP-100'])
    expect(latest.get(key)?.data).toEqual(
      (await space.client('GET', `/api/initiatives/${space.product.externalKey}/backlog/${key}`)).body.data,
    )
})
