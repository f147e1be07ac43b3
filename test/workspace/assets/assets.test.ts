import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { parseRange } from '../../../src/http/ranges'
import { formatContentDisposition } from '../../../src/http/served-file'
import { makeSafeFileName } from '../../../src/workspace/assets/name'
import { type ApiResponse, call, send } from '../../client'
import { createWorkspace, type Workspace } from '../../factories'

interface Asset {
  id: number
  path: string
  name: string
  file: string
  mime: string
}

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
)

function form(
  content: string | Uint8Array<ArrayBuffer>,
  name = 'note.txt',
  type = 'text/plain',
  fields: Record<string, string> = {},
) {
  const body = new FormData()
  body.set('file', new File([content], name, { type }))
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  return body
}

const baseOf = (world: Workspace) => `/api/initiatives/${world.product.externalKey}/assets`

async function upload(
  world: Workspace,
  raw: FormData,
  headers: Record<string, string> = {},
): Promise<ApiResponse<Asset>> {
  return world.client<Asset>('POST', baseOf(world), { raw, headers })
}

async function download(world: Workspace, file: string, headers: Record<string, string> = {}, method = 'GET') {
  const { response, cost } = await send(method, file, { apiKey: await world.key(), headers })
  return { response, cost, bytes: new Uint8Array(await response.arrayBuffer()) }
}

async function listObjects(world: Workspace): Promise<string[]> {
  const listed = await env.FILES.list({ prefix: `${world.subscriptionId}/` })
  return listed.objects.map(({ key }) => key)
}

test('an upload is recorded with every field, listed, retrieved and downloaded unchanged', async () => {
  const world = await createWorkspace()
  const created = await upload(world, form(PNG, 'dot.png', 'image/png', { description: 'A dot', usedAt: 'userstory' }))
  expect([created.status, created.cost.roundTrips]).toEqual([201, 2])
  const asset = created.body.data
  expect(asset).toEqual({
    id: expect.any(Number),
    path: (await listObjects(world))[0],
    size: '0.07',
    sizeType: 'kb',
    userId: world.userId,
    subscriptionId: world.subscriptionId,
    initiativeId: world.product.id,
    usedAt: 'userstory',
    description: 'A dot',
    name: 'dot.png',
    artifactId: 0,
    status: 'active',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    file: `${baseOf(world)}/${asset.id}/download`,
    mime: 'image/png',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const found = await world.client<Asset>('GET', created.headers.get('location') ?? '')
  expect([found.body.data, found.headers.get('etag'), found.cost.roundTrips]).toEqual([
    asset,
    expect.stringMatching(/^"v1-/),
    1,
  ])
  await upload(world, form('later', 'later.txt'))
  const listed = await world.client<Asset[]>('GET', baseOf(world))
  expect([listed.body.data.map(({ name }) => name), listed.cost.roundTrips]).toEqual([['later.txt', 'dot.png'], 1])

  const { response, bytes, cost } = await download(world, asset.file)
  expect([response.status, cost.roundTrips]).toEqual([200, 1])
  expect(bytes).toEqual(PNG)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(PNG.length),
    'content-disposition': `inline; filename="dot.png"; filename*=UTF-8''dot.png`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
  })
})

test('the type follows from the bytes, and only harmless images are shown inline', async () => {
  const world = await createWorkspace()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const table: [string | Uint8Array<ArrayBuffer>, string, string, string, 'inline' | 'attachment'][] = [
    [PNG, 'a.txt', 'text/plain', 'image/png', 'inline'],
    [svg, 'a.png', 'image/png', 'application/octet-stream', 'attachment'],
    [svg, 'a.svg', 'image/svg+xml', 'application/octet-stream', 'attachment'],
    [`<?xml version="1.0"?>${svg}`, 'a.svg', 'image/svg+xml', 'application/xml', 'attachment'],
    ['<html><script>alert(1)</script>', 'a.html', 'text/html', 'application/octet-stream', 'attachment'],
    ['<html><script>alert(1)</script>', 'a.html', 'text/plain', 'text/plain', 'attachment'],
    ['a,b\n1,2', 'a.csv', 'text/csv; charset=utf-8', 'text/csv', 'attachment'],
    [Uint8Array.of(1, 0, 2), 'a.txt', 'text/plain', 'application/octet-stream', 'attachment'],
    [Uint8Array.of(0x61, 0xff), 'a.txt', 'text/plain', 'application/octet-stream', 'attachment'],
    ['%PDF-1.7\n', 'a.pdf', '', 'application/pdf', 'attachment'],
    ['MZ', 'a.png', 'image/png', 'application/x-msdownload', 'attachment'],
  ]
  for (const [content, name, type, mime, shown] of table) {
    const { body } = await upload(world, form(content, name, type))
    expect([name, type, body.data.mime]).toEqual([name, type, mime])
    const { response } = await download(world, body.data.file)
    const isKept = mime === 'image/png' || mime === 'application/pdf'
    expect(response.headers.get('content-type')).toBe(isKept ? mime : 'application/octet-stream')
    expect(response.headers.get('content-disposition')).toMatch(new RegExp(`^${shown};`))
  }
})

test('a hostile file name is stored in a harmless form and returned exactly', async () => {
  const table: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\plan.pdf', 'plan.pdf'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
    ['gpj\u202Eexe.png', 'gpjexe.png'],
    ['"; filename=evil.exe', '"; filename=evil.exe'],
    ['..', 'file'],
    [' . ', 'file'],
    ['/', 'file'],
    ['Jahresplan – größer (2) 100%.pdf', 'Jahresplan – größer (2) 100%.pdf'],
    [`${'ü'.repeat(300)}.pdf`, `${'ü'.repeat(98)}.pdf`],
  ]
  for (const [given, kept] of table) expect([given, makeSafeFileName(given)]).toEqual([given, kept])
  expect(formatContentDisposition('attachment', `a"b\\c'(1)*ü😀.pdf`)).toBe(
    `attachment; filename="a_b_c'(1)*___.pdf"; filename*=UTF-8''a%22b%5Cc%27%281%29%2A%C3%BC%F0%9F%98%80.pdf`,
  )
  const world = await createWorkspace()
  const { body } = await upload(world, form('x', '..\\größer ;x=\u202Ey.txt'))
  expect(body.data.name).toBe('größer ;x=y.txt')
  const { response } = await download(world, body.data.file)
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="gr__er ;x=y.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fer%20%3Bx%3Dy.txt`,
  )
})

test('a file name of megabytes is cut', () => {
  const long = 200_000
  const table: [string, string][] = [
    [`a${'.'.repeat(long)}b`, `a${'.'.repeat(197)}.b`],
    [`a${' .'.repeat(long)}b.txt`, `a${' .'.repeat(97)}.txt`],
    [`${'/'.repeat(10 * long)}plan.pdf`, 'plan.pdf'],
    [`${'x'.repeat(long)}.tar.gz`, `${'x'.repeat(197)}.gz`],
    [`a${'\u0301\u0316'.repeat(long)}.png`, `\u00e1${'\u0316'.repeat(97)}.png`],
    [`${'\n'.repeat(999)}😀${'x'.repeat(long)}`, 'x'.repeat(100)],
  ]
  for (const [given, kept] of table) expect(makeSafeFileName(given)).toBe(kept)
})

test('a valid range gets a 206, an impossible range a 416, and any other header the whole file', async () => {
  const world = await createWorkspace()
  const { body } = await upload(world, form('0123456789'))
  const etag = (await download(world, body.data.file)).response.headers.get('etag') ?? ''
  const table: [Record<string, string>, number, string, string | null][] = [
    [{ range: 'bytes=0-3' }, 206, '0123', 'bytes 0-3/10'],
    [{ range: 'bytes=8-' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-3' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=-99' }, 206, '0123456789', 'bytes 0-9/10'],
    [{ range: 'bytes=5-99' }, 206, '56789', 'bytes 5-9/10'],
    [{ range: 'bytes=0-3', 'if-range': etag }, 206, '0123', 'bytes 0-3/10'],
    [{ range: 'bytes=0-3', 'if-range': '"other"' }, 200, '0123456789', null],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789', null],
    [{ range: 'bytes=5-2' }, 200, '0123456789', null],
    [{ range: 'lines=1-2' }, 200, '0123456789', null],
    [{ range: 'bytes=-' }, 200, '0123456789', null],
  ]
  for (const [headers, status, content, range] of table) {
    const { response, bytes } = await download(world, body.data.file, headers)
    const text = new TextDecoder().decode(bytes)
    expect([headers, response.status, text, response.headers.get('content-range')]).toEqual([
      headers,
      status,
      content,
      range,
    ])
    expect(response.headers.get('content-length')).toBe(String(content.length))
  }
  const beyond = await world.client('GET', body.data.file, { headers: { range: 'bytes=10-' } })
  expect([beyond.status, beyond.body.error?.code]).toEqual([416, 'range_not_satisfiable'])
  expect(beyond.headers.get('content-range')).toBe('bytes */10')
  expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable')

  const known = await download(world, body.data.file, { 'if-none-match': `"x", W/${etag}` })
  expect([known.response.status, known.response.headers.get('etag'), known.bytes.length]).toEqual([304, etag, 0])
  const head = await download(world, body.data.file, {}, 'HEAD')
  expect([head.response.status, head.response.headers.get('content-length'), head.bytes.length]).toEqual([200, '10', 0])
})

test('a file of another workspace is not found by any path', async () => {
  const world = await createWorkspace()
  const stranger = await createWorkspace()
  const { body } = await upload(world, form('secret'))
  for (const path of ['', '/download']) {
    const own = await stranger.client('GET', `${baseOf(stranger)}/${body.data.id}${path}`)
    expect([own.status, own.body.error?.code]).toEqual([404, 'asset_not_found'])
    const foreign = await stranger.client('GET', `${baseOf(world)}/${body.data.id}${path}`)
    expect([foreign.status, foreign.body.error?.code]).toEqual([404, 'product_not_found'])
  }
  expect((await stranger.client<Asset[]>('GET', baseOf(stranger))).body.data).toEqual([])
  expect((await world.client('GET', `${baseOf(world)}/x`)).status).toBe(400)
})

test('a refused upload leaves no object behind', async () => {
  const world = await createWorkspace()
  const attempts: [Record<string, string>, string | undefined, FormData, number][] = []
  const revoked = await world.key({ jti: 'revoked' }, { stored: false })
  const limited = await world.key({ products: [world.product.id + 1_000_000] })
  const reader = await world.key({ scopes: ['files:read'] })
  attempts.push([{}, revoked, form('x'), 401], [{}, limited, form('x'), 403], [{}, reader, form('x'), 403])
  const full = await world.key()
  attempts.push([{}, full, form('x', 'a', '', { usedAt: 'nothing' }), 400], [{}, full, form(''), 400])
  for (const [headers, apiKey, raw, status] of attempts) {
    const answer = await call('POST', baseOf(world), { headers, raw, apiKey: apiKey ?? null })
    expect(answer.status).toBe(status)
  }
  const missing = await world.client('POST', '/api/initiatives/NO-NE/assets', { raw: form('x') })
  expect([missing.status, missing.body.error?.code]).toEqual([404, 'product_not_found'])
  expect(await listObjects(world)).toEqual([])
})

test('a retry with the same Idempotency-Key stores one file, and a different body is refused', async () => {
  const world = await createWorkspace()
  const headers = { 'idempotency-key': 'file-1' }
  const first = await upload(world, form('once'), headers)
  const again = await upload(world, form('once'), headers)
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
  const other = await upload(world, form('once', 'note.txt', 'text/plain', { description: 'new' }), headers)
  expect([other.status, other.body.error?.code]).toEqual([422, 'idempotency_key_reused'])
  expect(await listObjects(world)).toEqual([first.body.data.path])
  expect(new TextDecoder().decode((await download(world, first.body.data.file)).bytes)).toBe('once')
})

test('parallel uploads each get their own object', async () => {
  const world = await createWorkspace()
  const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => upload(world, form(`content ${n}`))))
  expect(new Set(answers.map(({ body }) => body.data.path)).size).toBe(6)
  expect((await listObjects(world)).length).toBe(6)
  for (const [n, { body }] of answers.entries()) {
    expect(new TextDecoder().decode((await download(world, body.data.file)).bytes)).toBe(`content ${n}`)
  }
})
