import { env } from 'cloudflare:workers'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'
import { openExport } from '../../open-export'

const MEMBERS = '/api/v2/idea-manager/members'
const COLUMNS =
  'id,email,firstName,lastName,role,attributes,segmentIds,createdAt,updatedAt,source,externalId,segments,suppressed'

interface Member {
  id: number
  email: string
  firstName: string
  attributes: Record<string, unknown>
  segmentIds: number[]
}

const bulkCreate = async (here: Workspace, json: object[]) => {
  const answer = await here.client('POST', `${MEMBERS}/bulk-create`, { json })
  expect(answer.status).toBe(200)
}

test('all members are exported in each format as a download, with CSV as the default', async () => {
  const here = await createWorkspace()
  const segment = await here.row('segments', {
    subscription_id: here.subscriptionId,
    name: 'All',
    created_at: 1,
    updated_at: 1,
  })
  await bulkCreate(here, [
    {
      firstName: '=1+1',
      lastName: '-5',
      email: 'f@example.com',
      attributes: { note: '@x', n: 5 },
      segmentIds: [segment],
    },
    { firstName: 'A, "B"', lastName: '𝔘🙂', email: '+c@example.com' },
  ])
  const apiKey = await here.key()
  const get = async (query: string) => {
    const { response } = await send('GET', `${MEMBERS}/export${query}`, { apiKey })
    const [type, name] = ['content-type', 'content-disposition'].map((header) => response.headers.get(header))
    return { status: response.status, type, name, text: new TextDecoder().decode(await response.arrayBuffer()) }
  }
  const listed = (await here.client<Member[]>('GET', `${MEMBERS}?sort=createdAt`)).body.data
  expect(listed.length).toBe(3)
  const csv = await get('')
  expect([csv.status, csv.type, csv.name]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="members.csv"',
  ])
  expect(await get('?format=csv')).toEqual(csv)
  const rows = Papa.parse<string[]>(csv.text.trim()).data
  expect(rows[0]?.join()).toBe(COLUMNS)
  expect(rows.slice(2).map((row) => row.slice(1, 7))).toEqual([
    ['f@example.com', "'=1+1", '-5', 'idm_member', '{"note":"@x","n":5}', `[${segment}]`],
    ["'+c@example.com", 'A, "B"', '𝔘🙂', 'idm_member', '{}', '[]'],
  ])
  const json = await get('?format=json')
  expect([json.type, json.name]).toEqual(['application/json', 'attachment; filename="members.json"'])
  const names: Record<string, string[]> = { 'f@example.com': ['All'] }
  const exported = listed.map((one) => ({ ...one, suppressed: [], segments: names[one.email] ?? [] }))
  expect(JSON.parse(json.text)).toEqual(exported)
  const ndjson = await get('?format=ndjson')
  expect([ndjson.type, ndjson.name]).toEqual(['application/x-ndjson', 'attachment; filename="members.ndjson"'])
  expect(ndjson.text.endsWith('\n')).toBe(true)
  expect(
    ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(exported)
  expect((await get('?format=xml')).status).toBe(400)
})

test('a large export reads a page when the client asks for it and holds each member once', async () => {
  const here = await createWorkspace()
  const people = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ email: `p${from + n}@example.com`, attributes: { n: from + n } }))
  await bulkCreate(here, people(0, 5_000))
  const { response, asked, reader } = await openExport(here, `${MEMBERS}/export?format=ndjson`)
  expect(response.status).toBe(200)
  let text = ''
  const decoder = new TextDecoder()
  for (let page = 1; ; page++) {
    expect(asked.batches).toBe(Math.max(1, page - 1))
    const { done, value } = await reader.read()
    if (done) break
    const piece = decoder.decode(value)
    expect(piece.split('\n').length - 1).toBeLessThanOrEqual(1_000)
    text += piece
  }
  expect(asked.batches).toBe(6)
  const found = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as Member).email)
  expect([found.length, new Set(found).size]).toEqual([5_001, 5_001])
})

test('a page ends at 4 MB, and no member is lost at its end', async () => {
  const here = await createWorkspace()
  const attributes = Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`a${n}`, 'x'.repeat(1_000)]))
  const people = Array.from({ length: 450 }, (_, n) => ({ email: `p${n}@example.com`, attributes }))
  await bulkCreate(here, people)
  const { asked, reader } = await openExport(here, `${MEMBERS}/export?format=ndjson`)
  const sizes: number[] = []
  let members = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    sizes.push(next.value.length)
    members += new TextDecoder().decode(next.value).split('\n').length - 1
  }
  expect([members, asked.batches]).toEqual([451, 3])
  expect(Math.max(...sizes)).toBeLessThan(4_300_000)
  expect(asked.most).toBeLessThan(4_600_000)
})

test('the export stops at most one page after the client disconnects', async () => {
  const here = await createWorkspace()
  await bulkCreate(
    here,
    Array.from({ length: 3_000 }, (_, n) => ({ email: `p${n}@example.com` })),
  )
  const { asked, reader, ended } = await openExport(here, `${MEMBERS}/export`)
  await reader.read()
  await reader.read()
  await reader.cancel()
  await ended()
  expect(asked.batches).toBeLessThanOrEqual(2)
})

test('an export breaks off when its key is revoked, and a revoked key gets a 401', async () => {
  const here = await createWorkspace()
  await bulkCreate(
    here,
    Array.from({ length: 2_500 }, (_, n) => ({ email: `p${n}@example.com` })),
  )
  const { reader } = await openExport(here, `${MEMBERS}/export?format=json`)
  await reader.read()
  await env.DB.prepare('UPDATE api_keys SET revoked_at = 1 WHERE subscription_id = ?').bind(here.subscriptionId).run()
  await expect(reader.read()).rejects.toThrow()
  const apiKey = await here.key({}, { stored: false })
  expect((await here.client('GET', `${MEMBERS}/export`, { apiKey })).status).toBe(401)
})
