import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { IDS_PER_RANGE } from '../../src/db/sql/home-ids'
import { readClock } from '../clock'
import type { Workspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { createFullWorkspace } from '../workspace/exports/every-table'
import { exportWorkspace } from '../workspace/exports/export-simulation'
import {
  createEmptyWorkspace,
  downloadExport,
  readComparableRows,
  restoreWorkspace,
} from '../workspace/exports/restore-simulation'
import type { ZipFile } from '../zip'
import { type Clock, finishMove, readMove, requestMove } from './moving'

const bindings = await openTwoHomes()
const clock: Clock = { now: readClock() }

async function moveWorkspace({ subscriptionId }: Workspace, from: D1Database, home: number): Promise<void> {
  await requestMove(from, subscriptionId, home, clock.now)
  await finishMove(bindings, clock)
  expect(await readMove(from, subscriptionId)).toMatchObject({ state: 'moved', step: 'done', home })
}

interface StoredRecord {
  id: number
  externalKey: string
  external_key: string
}

interface LinkedRecords {
  person: StoredRecord
  epic: StoredRecord
  story: StoredRecord
  idea: StoredRecord
  comment: StoredRecord
  persona: StoredRecord
}

/** Creates people, ideas and stories that name the records of an earlier home, which name the new records in turn. */
async function createLinkedRecords(
  { client, product }: Workspace,
  name: string,
  earlier?: LinkedRecords,
): Promise<LinkedRecords> {
  const send = async (method: string, path: string, json: object) => {
    const { body, status } = await client<StoredRecord>(method, path, { json, env: { HOMES: TWO_HOMES } })
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body.data
  }
  const at = `/api/initiatives/${product.externalKey}`
  const person = await send('POST', '/api/v2/idea-manager/members', { email: `${name}@example.com` })
  const people = [earlier?.person.id, person.id].filter((id) => id !== undefined)
  const persona = await send('POST', '/api/v2/persona', { name })
  const epic = await send('POST', `${at}/epics`, { summary: `Epic ${name}` })
  const story = await send('POST', `${at}/storyMap/card`, { summary: `Story ${name}` })
  const idea = await send('POST', '/api/feedback-items', { title: `Idea ${name}`, product: product.externalKey })
  const commentsOf = ({ external_key }: StoredRecord) => `/api/feedback-items/${external_key}/comments`
  const comment = await send('POST', commentsOf(idea), { text: name, mentions: people })
  const created = { person, epic, story, idea, comment, persona }
  if (!earlier) return created
  const links = {
    userId: people,
    persona: [earlier.persona, persona].map(({ id }) => ({ personaId: id, personaValue: name })),
  }
  await send('PATCH', `${at}/storyMap/card/${story.externalKey}`, { epicId: earlier.epic.id, ...links })
  await send('PATCH', `${at}/storyMap/card/${earlier.story.externalKey}`, { epicId: epic.id, ...links })
  await send('POST', commentsOf(earlier.idea), { text: `${name} about an earlier idea`, mentions: people })
  await send('POST', `/api/feedback-items/comments/${earlier.comment.id}/reply`, { text: name, mentions: people })
  await send('POST', `/api/feedback-items/${earlier.idea.external_key}/merge`, { into: idea.external_key })
  return created
}

const RANGES_BY_TABLE = ['users', 'personas', 'work_items', 'feedback_items', 'feedback_comments']

async function listRanges(zip: ZipFile): Promise<Record<string, number[]>> {
  const entries = RANGES_BY_TABLE.map(async (table) => {
    const rows = await zip.readRows(`records/${table}.ndjson`)
    return [table, [...new Set(rows.map(({ id }) => Math.floor(Number(id) / IDS_PER_RANGE)))].sort((a, b) => a - b)]
  })
  return Object.fromEntries(await Promise.all(entries))
}

test('an export of a workspace that moved has all rows and references after a restore', async () => {
  const { here } = await createFullWorkspace()
  const first = await createLinkedRecords(here, 'first')
  await moveWorkspace(here, env.DB, EU_NUMBER)
  const second = await createLinkedRecords(here, 'second', first)
  await moveWorkspace(here, env.DB_EU, 0)
  await createLinkedRecords(here, 'third', second)

  const { run, zip } = await exportWorkspace(here, { include: ['files'] })
  const ranges = await listRanges(zip)
  expect(ranges).toEqual(Object.fromEntries(RANGES_BY_TABLE.map((table) => [table, [0, 1, 2_048]])))
  const expected = await readComparableRows(zip)

  const space = await createEmptyWorkspace()
  const restored = await restoreWorkspace(space, await downloadExport(here, run.id))
  expect(restored.run).toMatchObject({ status: 'completed', problem: null })
  expect(restored.run.totals).toMatchObject({ records: run.totals.records, files: run.totals.files })
  const again = (await exportWorkspace(space)).zip
  const rows = await readComparableRows(again)
  for (const [table, some] of Object.entries(expected)) expect([table, rows[table]]).toEqual([table, some])
  // The new ids are ids of the home.
  expect(Object.values(await listRanges(again)).flat()).toEqual(RANGES_BY_TABLE.map(() => 2_048))
})
