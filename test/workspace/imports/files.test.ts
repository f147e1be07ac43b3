import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { createImportScenario, createUsersCsv, MEMBERS, QUEUE, type Run } from './scenario'

const utf16 = (text: string) => {
  const bytes = new Uint8Array(2 + text.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff, true)
  for (let n = 0; n < text.length; n++) view.setUint16(2 + n * 2, text.charCodeAt(n), true)
  return bytes
}

const countObjects = async (subscriptionId: number) =>
  (await env.FILES.list({ prefix: `${subscriptionId}/imports/` })).objects.length

const space = await createImportScenario()
const { run, people, client, subscriptionId } = space

const keysOf = (count: number, first = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${first + n}`.padStart(96, 'k'), null]))

const jsonOf = (keys: number) =>
  JSON.stringify([
    { email: 'a@example.com', ...keysOf(500) },
    { email: 'b@example.com', ...keysOf(keys - 501, 500) },
  ])

function ndjsonOf(keys: number): string {
  const rows = Array.from({ length: keys / 1_000 }, (_, n) => ({
    email: `p${n}@example.com`,
    ...keysOf(1_000, n * 1_000),
  }))
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

const WRONG_FILES: [string, string | Uint8Array<ArrayBuffer>, RegExp][] = [
  ['nothing', '', /empty/],
  ['only a header', 'email,name\n', /no rows/],
  ['no header', '\n\n', /empty/],
  ['a web page', '\n<!DOCTYPE html>\n<title>Sign in</title>\n', /web page or XML/],
  ['301 columns', `${Array.from({ length: 301 }, (_, n) => `c${n}`).join()}\nx\n`, /301 columns/],
  ['1,001 keys in rows of JSON', jsonOf(1_001), /1,000 different columns/],
  ['90,000 keys in rows of NDJSON', ndjsonOf(90_000), /1,000 different columns/],
  ['binary bytes', new Uint8Array([0x65, 0xff, 0xfe, 0x0a]), /neither UTF-8 nor UTF-16/],
  ['UTF-16 with an odd byte', utf16('email\na@example.com\n').subarray(0, -1), /middle of a character/],
  ['NUL', 'email\na\0b@example.com\n', /NUL/],
  ['JSON without a list', '{"a": 1}', /not a list/],
  ['JSON with 100,000 levels', '['.repeat(100_000), /JSON|list|nest|deep/i],
  ['a number with a million digits', `[{"email":"a@example.com","n":${'9'.repeat(1_000_000)}}]`, /longer than 256 KiB/],
  ['an unclosed quote', `email,name\na@example.com,"${'x'.repeat(400_000)}\n`, /longer than 256 KiB/],
]

test.each(WRONG_FILES)('a file of %s is refused, and nothing is stored', async (_, content, message) => {
  const answer = await run(content)
  expect([answer.status, answer.body.error?.code]).toEqual([400, 'validation_failed'])
  expect(answer.body.error?.issues).toMatchObject([{ path: '/users', code: 'invalid_file' }])
  expect(answer.body.message).toMatch(message)
  expect(await people()).toEqual([])
  expect((await client<Run[]>('GET', '/api/v2/imports')).body.data).toEqual([])
  expect(await countObjects(subscriptionId)).toBe(0)
})

test('a JSON file may have 1,000 different keys', async () => {
  const here = await createImportScenario()
  const answer = await here.run(jsonOf(1_000))
  expect([answer.status, answer.body.data.totals]).toMatchObject([201, { created: 2, rejected: 0 }])
})

test('a large invalid file leaves nothing in R2', async () => {
  const here = await createImportScenario()
  const path = MEMBERS
  const broken = `${createUsersCsv(200_000)}a@example.com,"${'x'.repeat(400_000)}`
  expect((await here.run(broken)).body.error?.issues).toMatchObject([{ code: 'invalid_file' }])
  const noEmail = await here.run(createUsersCsv(6_000).replace('email', 'e-post'))
  expect(noEmail.body.error?.issues).toMatchObject([{ path: '/mapping/email', code: 'required' }])
  const mapping = await here.run(createUsersCsv(6_000), { mapping: { plan: 'nonsense' } })
  expect(mapping.body.error?.issues).toMatchObject([{ path: '/mapping/plan' }])
  const cut = new TextEncoder().encode(
    `--b\r\ncontent-disposition: form-data; name="users"; filename="a.csv"\r\n\r\n${createUsersCsv(6_000)}`,
  )
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  expect((await here.client('POST', path, { raw: cut, headers, env: { QUEUE } })).status).toBe(400)
  const gone = await here.run(createUsersCsv(6_000), { path: '/api/v2/segments/999999/import-users' })
  expect(gone.body.error?.code).toBe('segment_not_found')
  expect(await countObjects(here.subscriptionId)).toBe(0)
  expect(await here.people()).toEqual([])
})

test('a run with only rejected rows fails, and the mapping may come before or after the file', async () => {
  const here = await createImportScenario()
  const failed = await here.run('email\nnobody\nno one\n')
  expect(failed.body.data).toMatchObject({ status: 'failed', totals: { rows: 2, rejected: 2 } })
  for (const [n, first] of [true, false].entries()) {
    const raw = new FormData()
    const mapping = JSON.stringify({
      'E-Post': 'email',
      Level: { field: 'role', values: { boss: 'admin' } },
      Junk: null,
    })
    if (first) raw.set('mapping', mapping)
    raw.set('users', new File([`E-Post;Level;Junk\r\nm${n}@example.com;boss;x\r\n`], 'a.csv'))
    if (!first) raw.set('mapping', mapping)
    const made = await here.client<Run>('POST', MEMBERS, { raw, env: { QUEUE } })
    expect(made.body.data).toMatchObject({ status: 'completed', totals: { created: 1 } })
  }
  const admin = { role: 'admin', attributes: '{}' }
  expect(await here.people()).toMatchObject([admin, admin])
})

test('a file with 100,000 broken rows rejects each row, and the download holds their cells', async () => {
  const here = await createImportScenario()
  const { simulateImports } = await import('./import-simulation')
  const lines = Array.from({ length: 100_000 }, (_, n) => `nobody ${n},=1+${n}`).join('\n')
  const made = await here.run(`email,name\n${lines}\n`)
  const { id } = made.body.data
  const it = simulateImports()
  it.queue.push({ kind: 'import.run', subscriptionId: here.subscriptionId, importId: id })
  await it.drain()
  const read = await here.read(id)
  expect(read).toMatchObject({ status: 'failed', totals: { rows: 100_000, rejected: 100_000 } })
  expect(read.rejected.length).toBe(100)
  const { response } = await send('GET', `/api/v2/imports/${id}/rejected.csv`, { apiKey: await here.key() })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const csv = (await response.text()).split('\r\n')
  expect(csv.length).toBe(100_002)
  const reason = 'Must be an e-mail address, like ada@example.com.'
  expect(csv.slice(0, 2)).toEqual(['email,name,row,field,reason', `nobody 0,"'=1+0",1,email,"${reason}"`])
  expect(csv.at(-2)).toBe(`nobody 99999,"'=1+99999",100000,email,"${reason}"`)
})

test('a formula is stored unchanged, and a row with too many cells or half a character is rejected', async () => {
  const here = await createImportScenario()
  const made = await here.run('email,name\na@example.com,=cmd()\nb@example.com,B,more\n')
  expect(made.body.data).toMatchObject({ totals: { created: 1, rejected: 1 }, rejected: [{ row: 2, field: null }] })
  expect(await here.people()).toMatchObject([{ first_name: '=cmd()' }])
  const half = await here.run(utf16('email,name\nc@example.com,\ud800\nd@example.com,D\n'))
  expect(half.body.data).toMatchObject({ totals: { created: 1, rejected: 1 }, rejected: [{ row: 1 }] })
})

test('a downloaded file of rejected rows can be corrected and imported again', async () => {
  const here = await createImportScenario()
  const { id } = (await here.run("=plan,email,name\n=1,nobody,'=A\n-,no one,=B\n")).body.data
  const rejected = async (run: number) =>
    (await send('GET', `/api/v2/imports/${run}/rejected.csv`, { apiKey: await here.key() })).response.text()
  const again = await here.run((await rejected(id)).replace('nobody', 'a@example.com'))
  expect(again.body.data).toMatchObject({
    totals: { created: 1, rejected: 1 },
    rejected: [{ row: 2, field: 'email', value: 'no one' }],
  })
  expect((await rejected(again.body.data.id)).split('\r\n')).toEqual([
    `"'=plan",email,name,row,field,reason`,
    `"'-",no one,"'=B",2,email,"Must be an e-mail address, like ada@example.com."`,
    '',
  ])
  const last = await here.run((await rejected(again.body.data.id)).replace('no one', 'b@example.com'))
  expect(last.body.data).toMatchObject({ totals: { created: 1, rejected: 0 } })
  expect(await here.people()).toMatchObject([
    { first_name: "'=A", attributes: '{"=plan":"=1"}' },
    { first_name: '=B', attributes: '{"=plan":"-"}' },
  ])
})

test('a repeated import with the same Idempotency-Key runs once, even when its file waits', async () => {
  const here = await createImportScenario()
  const attempt = () => {
    const raw = new FormData()
    raw.set('users', new File([createUsersCsv(5_001)], 'many.csv'))
    return here.client<Run>('POST', MEMBERS, { raw, env: { QUEUE }, headers: { 'idempotency-key': 'once' } })
  }
  const [first, second] = [await attempt(), await attempt()]
  expect(second.body).toEqual(first.body)
  expect((await here.client<Run[]>('GET', '/api/v2/imports')).body.data.length).toBe(1)
  expect(await countObjects(here.subscriptionId)).toBe(1)
})
