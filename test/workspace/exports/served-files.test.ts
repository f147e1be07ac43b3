import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { digestSha256 } from '../../../src/text/sha256'
import { send } from '../../client'
import { type Board, createIdea, openBoard } from '../../portal/visitors'
import { fileForm, PIXEL_PNG } from '../../world'
import { exportWorkspace } from './export-simulation'
import { createEmptyWorkspace, makeExportZip, restoreWorkspace } from './restore-simulation'

const bytesOf = (text: string) => Uint8Array.from(new TextEncoder().encode(text))
const SCRIPT = bytesOf('fetch("/api/v2/keys", { method: "POST" })')

/** Contents with the type that their bytes prove. Undefined: the bytes prove nothing. */
const CONTENTS: readonly (readonly [string, Uint8Array<ArrayBuffer>, string | undefined])[] = [
  ['a.js', SCRIPT, undefined],
  ['a.html', bytesOf('<!doctype html><script src=a.js></script>'), undefined],
  ['a.svg', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>a()</script></svg>'), undefined],
  ['a.xhtml', bytesOf('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'), 'application/xml'],
  ['a.css', bytesOf('* { background: url(/x) }'), undefined],
  ['a.png', PIXEL_PNG, 'image/png'],
  ['a.pdf', bytesOf('%PDF-1.7\n<script>a()</script>'), 'application/pdf'],
]

const ACTIVE_TYPES = [
  ...['text/javascript', 'text/html; charset=utf-8', 'TEXT/HTML', 'application/xhtml+xml', 'text/css', 'text/xml'],
  ...['image/svg+xml', 'image/x-icon', 'image/png;x=text/html', ' image/png', 'IMAGE/PNG', 'image/png, text/html'],
  ...['video/x-unknown', 'audio/mpeg; a=b', 'application/pdf;', 'multipart/x-mixed-replace', 'constructor', ''],
]
const SENT_TYPES = [
  ...['text/javascript', 'text/html; charset=utf-8', 'image/svg+xml', ' image/png', 'image/png;x=text/html'],
  ...['image/png', 'application/pdf', 'video/mp4', 'text/plain', 'application/json'],
]
const PASSIVE_TYPES = ['text/plain', 'application/json']

const CASES = CONTENTS.flatMap(([name, bytes, proven]) =>
  SENT_TYPES.map((sent) => {
    const unproven = PASSIVE_TYPES.includes(sent) ? sent : 'application/octet-stream'
    return { name, bytes, sent, type: proven ?? unproven }
  }),
)

async function listStoredTypes({ subscriptionId }: { subscriptionId: number }): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT mime FROM assets WHERE subscription_id = ? ORDER BY id')
    .bind(subscriptionId)
    .all<{ mime: string }>()
  return results.map(({ mime }) => mime)
}

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/** Each entrance stores the contents in their order, with the types that somebody claims. */
const ENTRANCES: Record<string, () => Promise<{ subscriptionId: number }>> = {
  async upload() {
    const board = await openBoard()
    for (const { name, bytes, sent } of CASES) {
      const raw = fileForm('file', bytes, name, sent)
      const path = `/api/initiatives/${board.product.externalKey}/assets`
      expect((await board.client('POST', path, { raw })).status).toBe(201)
    }
    return board
  },
  async 'idea of a program'() {
    const board = await openBoard()
    const apiKey = await board.key({ scopes: ['feedback:read', 'feedback:write'] })
    for (const { name, bytes, sent } of CASES) {
      const files = [{ name, content: toBase64(bytes), ...(sent && { type: sent }) }]
      const json = { title: 'Files', text: 'See the files.', product: board.product.externalKey, files }
      const { response } = await send('POST', `/api/v2/portal/${board.slug}/ideas`, { apiKey, json })
      expect([await response.text(), response.status]).toEqual([expect.any(String), 201])
    }
    return board
  },
  async 'idea of a visitor'() {
    const board = await openBoard()
    const { headers } = await board.session()
    for (const { name, bytes, sent } of CASES) {
      const raw = new FormData()
      const idea = { title: 'Files', text: 'See the files.', product: board.product.externalKey, compared: 'yes' }
      for (const [field, value] of Object.entries(idea)) raw.set(field, value)
      raw.append('files', new File([bytes], name, { type: sent }))
      const { response } = await send('POST', `${board.path}/submit`, { raw, headers })
      expect([await response.text(), response.status]).toEqual([expect.any(String), 303])
    }
    return board
  },
  async restore() {
    const space = await createEmptyWorkspace()
    const contents: Record<string, Uint8Array<ArrayBuffer>> = {}
    const assets: Record<string, unknown>[] = []
    for (const [n, { name, bytes, sent }] of CASES.entries()) {
      const id = n + 1
      contents[`files/${id}/${name}`] = bytes
      const stamps = { createdAt: 1, updatedAt: 1, version: 1 }
      const sha256 = await digestSha256(bytes)
      assets.push({
        ...{ id, objectKey: '1/assets/other', name, mime: sent, ...stamps },
        ...{ productId: 0, size: bytes.length, sha256, userId: 0 },
      })
    }
    const { run } = await restoreWorkspace(space, await makeExportZip({ assets }, contents))
    expect(run).toMatchObject({ status: 'completed', problem: null, totals: { files: CASES.length } })
    return space
  },
}

test.each(Object.keys(ENTRANCES))('the bytes decide the type of a file: %s', async (entrance) => {
  const space = await ENTRANCES[entrance]?.()
  const types = await listStoredTypes(space ?? { subscriptionId: 0 })
  const stored = CASES.map(({ name, sent }, n) => [name, sent, types[n]])
  expect(stored).toEqual(CASES.map(({ name, sent, type }) => [name, sent, type]))
})

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
const PLAYED = ['application/pdf', 'audio/mpeg', 'audio/ogg', 'audio/wav', 'video/mp4', 'video/webm']
const STORED_TYPES = [
  ...[...ACTIVE_TYPES, ...PICTURES, ...PLAYED, 'text/plain', 'text/csv', 'application/json', 'application/xml'],
  ...['application/zip', 'application/octet-stream', 'image/bmp', 'image/heic', '__proto__'],
]

/** Types whose files are asked for in each way; the others are asked for once. */
const ASKED_IN_FULL = ['text/javascript', 'application/octet-stream', 'image/png', 'application/pdf']

interface Served {
  name: string
  mime: string
  isLogo: boolean
  isPublic: boolean
}

function headersOf({ name, mime, isLogo, isPublic }: Served) {
  const isDrawing = isLogo && name === 'a.svg' && ['application/xml', 'application/octet-stream'].includes(mime)
  const isPicture = isDrawing || PICTURES.includes(mime)
  const kept = PICTURES.includes(mime) || PLAYED.includes(mime) ? mime : 'application/octet-stream'
  return {
    'content-type': isDrawing ? 'image/svg+xml' : kept,
    'content-disposition': expect.stringMatching(isPicture ? /^inline; filename="a\./ : /^attachment; filename="a\./),
    ...{ 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" },
    'cross-origin-resource-policy': isPicture && isPublic ? 'cross-origin' : 'same-origin',
  }
}

/** Requests with the status of the answer. */
const REQUESTS = [
  [200, { method: 'GET', headers: {} }],
  [200, { method: 'HEAD', headers: {} }],
  [206, { method: 'GET', headers: { range: 'bytes=0-3' } }],
  [206, { method: 'HEAD', headers: { range: 'bytes=0-3' } }],
] as const

/** A file whose bytes are a script, in all places that show files. */
async function openPlaces(json: object) {
  const board = await openBoard(json)
  const base = `/api/initiatives/${board.product.externalKey}/assets`
  const idea = await createIdea(board, 'Files')
  const { body } = await board.client<{ id: number }>('POST', base, { raw: fileForm('file', SCRIPT, 'a.svg') })
  const { id } = body.data
  // The object says another type than the record.
  const [object] = (await env.FILES.list({ prefix: `${board.subscriptionId}/` })).objects
  await env.FILES.put(object?.key ?? '', SCRIPT, { httpMetadata: { contentType: 'text/html' } })
  const withKey = async () => ({ apiKey: await board.key() })
  const run = (query: string, ...values: (string | number)[]) =>
    env.DB.prepare(query)
      .bind(board.subscriptionId, ...values)
      .run()
  const draft = { title: 'News', content: '<p>News</p>' }
  const entry = await board.client<{ id: number; externalKey: string }>('POST', '/api/v2/changelog', { json: draft })
  await board.client('POST', `/api/v2/changelog/${entry.body.data.externalKey}/publish`, { json: {} })
  const at = `/api/v2/portal/${board.slug}/files/${id}`
  return {
    id,
    idea,
    run,
    withKey,
    doors: { api: `${base}/${id}/download`, portal: at },
  }
}

type Places = Awaited<ReturnType<typeof openPlaces>>

/** Places of the portal that show the file, as an old restore left them: nobody checked the type. */
const PLACES: Record<string, { put: (at: Places) => Promise<unknown>; query?: (at: Places) => string }> = {
  attachment: {
    put: ({ run, id, idea }) =>
      run(
        `INSERT INTO attachments (subscription_id, kind, holder_id, asset_id)
         SELECT ?1, 'feedback', id, ?2 FROM feedback_items WHERE subscription_id = ?1 AND external_key = ?3`,
        ...[id, idea],
      ),
  },
  'cover of an idea': {
    put: ({ run, id }) => run('UPDATE feedback_items SET cover_photos = json_array(?2) WHERE subscription_id = ?1', id),
    query: ({ idea }) => `?idea=${idea}`,
  },
  'cover of an entry': {
    put: ({ run, id }) => run('UPDATE changelog_entries SET cover_id = ?2 WHERE subscription_id = ?1', id),
  },
  logo: { put: ({ run, id }) => run('UPDATE portals SET logo = ?2 WHERE subscription_id = ?1', id) },
  'dark logo': { put: ({ run, id }) => run('UPDATE portals SET dark_logo = ?2 WHERE subscription_id = ?1', id) },
}

const answerOf = async (path: string, request: { method: string; headers: Record<string, string> }, sent: object) => {
  const { response } = await send(request.method, path, { ...sent, headers: request.headers })
  await response.arrayBuffer()
  return response
}

async function expectHeaders(path: string, sent: object, served: Served): Promise<void> {
  const expected = headersOf(served)
  let etag = ''
  const isAskedInFull = ASKED_IN_FULL.includes(served.mime)
  for (const [status, request] of isAskedInFull ? REQUESTS : REQUESTS.slice(0, 1)) {
    const { headers, status: found } = await answerOf(path, request, sent)
    etag = headers.get('etag') ?? ''
    expect({ served, status: found, ...Object.fromEntries(headers) }).toMatchObject({ served, status, ...expected })
  }
  if (!isAskedInFull) return
  const known = await answerOf(path, { method: 'GET', headers: { 'if-none-match': etag } }, sent)
  expect([known.status, Object.fromEntries(known.headers)]).toEqual([304, expect.objectContaining(expected)])
  const refused = await answerOf(path, { method: 'GET', headers: { range: 'bytes=999-' } }, sent)
  const { 'content-type': _, 'content-disposition': __, ...guards } = headersOf({ ...served, isPublic: false })
  expect([refused.status, Object.fromEntries(refused.headers)]).toEqual([416, expect.objectContaining(guards)])
  expect(refused.headers.get('content-type')).toMatch(/^application\/json/)
}

const setType = ({ run, id }: Places, mime: string, name: string) =>
  run('UPDATE assets SET mime = ?2, name = ?3 WHERE subscription_id = ?1 AND id = ?4', mime, name, id)

const IN_PORTALS = ['public', 'private'].flatMap((visibility) =>
  Object.keys(PLACES).map((place) => [place, visibility] as const),
)

test.each(IN_PORTALS)('whatever the stored type, no browser runs the %s of a %s portal', async (place, visibility) => {
  const isPublic = visibility === 'public'
  const places = await openPlaces(isPublic ? {} : { visibility })
  await PLACES[place]?.put(places)
  const sent = isPublic ? {} : await places.withKey()
  const path = places.doors.portal + (PLACES[place]?.query?.(places) ?? '')
  const isLogo = place.endsWith('logo')
  for (const name of isLogo ? ['a.svg', 'a.png'] : ['a.svg'])
    for (const mime of STORED_TYPES) {
      await setType(places, mime, name)
      await expectHeaders(path, sent, { name, mime, isLogo, isPublic })
    }
})

test('whatever the stored type, no browser runs a file of the API', async () => {
  const places = await openPlaces({})
  const sent = await places.withKey()
  await PLACES.logo?.put(places)
  for (const mime of STORED_TYPES) {
    await setType(places, mime, 'a.svg')
    await expectHeaders(places.doors.api, sent, { name: 'a.svg', mime, isLogo: false, isPublic: false })
  }
})

test('the file of an export is an attachment without a type', async () => {
  const board: Board = await openBoard()
  const { run } = await exportWorkspace(board)
  const path = `/api/v2/exports/${run.id}/download`
  const sent = { apiKey: await board.key() }
  for (const [status, request] of REQUESTS) {
    const { headers, status: found } = await answerOf(path, request, sent)
    expect([found, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      ...[status, 'application/octet-stream', expect.stringMatching(/^attachment; filename="workspace-/)],
    ])
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})
