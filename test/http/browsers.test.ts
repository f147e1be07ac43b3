import { expect, test } from 'vitest'
import { type CallOptions, call, send } from '../client'
import { createWorkspace } from '../factories'

const PAGE = 'https://app.example.com'
const EPICS = '/api/initiatives'

async function createOpenWorkspace(cors: readonly string[] = [PAGE]) {
  const space = await createWorkspace()
  await space.client('PUT', '/api/v2/settings', { json: { cors } })
  const path = `${EPICS}/${space.product.externalKey}/epics`
  const fromPage = (method: string, origin: string, options: CallOptions = {}) =>
    space.client(method, path, { ...options, headers: { ...options.headers, origin } })
  return { ...space, path, fromPage }
}

const originAllowedBy = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')

test('a page of a listed origin reads and writes, with one round trip', async () => {
  const { fromPage } = await createOpenWorkspace()
  const written = await fromPage('POST', PAGE, { json: { summary: 'From a page' } })
  const read = await fromPage('GET', PAGE)
  for (const answer of [written, read]) {
    expect([answer.status, originAllowedBy(answer), answer.cost.roundTrips]).toEqual([200, PAGE, 1])
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-d1-bookmark')
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  }
  expect(read.body.data).toHaveLength(1)
})

test.each(['https://other.example.com', 'https://app.example.com:8443', 'http://app.example.com', 'null'])(
  'a page of the origin "%s", which is not listed, changes nothing and reads nothing',
  async (origin) => {
    const { client, path, fromPage } = await createOpenWorkspace()
    const written = await fromPage('POST', origin, { json: { summary: 'From another page' } })
    const read = await fromPage('GET', origin)
    for (const answer of [written, read]) {
      expect([answer.status, answer.body.error?.code, originAllowedBy(answer)]).toEqual([
        403,
        'origin_not_allowed',
        null,
      ])
    }
    expect((await client('GET', path)).body.data).toEqual([])
  },
)

test('no workspace lists an origin by default, and the list of a workspace holds for this workspace only', async () => {
  await createOpenWorkspace()
  const { fromPage, client } = await createOpenWorkspace([])
  expect((await fromPage('GET', PAGE)).status).toBe(403)
  const settings = await client<{ cors: string[] }>('GET', '/api/v2/settings')
  expect(settings.body.data.cors).toEqual([])
})

test('a page reads the failures of its own requests', async () => {
  const { fromPage, path, key } = await createOpenWorkspace()
  const invalid = await fromPage('POST', PAGE, { json: { summary: '' } })
  expect([invalid.status, originAllowedBy(invalid), invalid.cost.roundTrips]).toEqual([400, PAGE, 1])
  const other = await fromPage('POST', 'https://other.example.com', { json: { summary: '' } })
  expect([other.status, originAllowedBy(other)]).toEqual([400, null])
  const missing = await fromPage('POST', PAGE, {
    json: { summary: 'A', persona: [{ personaId: 9, personaValue: 'P' }] },
  })
  expect([missing.status, missing.body.error?.code, originAllowedBy(missing)]).toEqual([400, 'unknown_reference', PAGE])
  const narrow = await fromPage('POST', PAGE, { json: {}, apiKey: await key({ scopes: ['kpis:read'] }) })
  expect([narrow.status, originAllowedBy(narrow)]).toEqual([403, PAGE])
  const keyless = await call('GET', path, { headers: { origin: PAGE } })
  expect([keyless.status, originAllowedBy(keyless)]).toEqual([401, PAGE])
})

test('a preflight is answered without a key and without the database, for a day', async () => {
  const headers = {
    origin: PAGE,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'x-api-key',
  }
  const { response, totalRoundTrips } = await send('OPTIONS', `${EPICS}/GW-1/epics/EP-1`, { headers })
  expect([response.status, totalRoundTrips]).toEqual([204, 0])
  expect(originAllowedBy(response)).toBe(PAGE)
  expect(response.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(response.headers.get('access-control-allow-headers')).toMatch(/Authorization.*Idempotency-Key.*x-api-key/)
  expect(response.headers.get('access-control-max-age')).toBe('86400')
})

test('pages of the service itself need no permission, also behind another address', async () => {
  const { fromPage } = await createOpenWorkspace([])
  const PUBLIC_URL = 'https://groundwork.example.com'
  expect((await fromPage('GET', PUBLIC_URL, { env: { PUBLIC_URL } })).status).toBe(200)
  expect((await fromPage('GET', PUBLIC_URL)).status).toBe(403)
})

test('every origin reads the health of the service', async () => {
  expect(originAllowedBy((await send('GET', '/health', { headers: { origin: PAGE } })).response)).toBe('*')
})

test.each([
  'app.example.com',
  'https://app.example.com/',
  'https://APP.example.com',
  'https://app.example.com/board',
  'https://ada:secret@app.example.com',
  'https://app.example.com:443',
  'ftp://app.example.com',
  'null',
  '*',
  'https://',
  '',
])('settings refuse "%s" as an origin', async (origin) => {
  const { client } = await createWorkspace()
  const { status, body } = await client('PUT', '/api/v2/settings', { json: { cors: [origin] } })
  expect([status, body.error?.issues[0]?.path]).toEqual([400, '/cors/0'])
})

test('a key in Authorization has the rights of the key', async () => {
  const { key, path } = await createOpenWorkspace()
  const apiKey = await key()
  const other = await key()
  const read = (headers: Record<string, string>) => call('GET', path, { headers })
  expect((await read({ authorization: apiKey })).status).toBe(200)
  expect((await read({ authorization: apiKey.replace('Bearer', 'bearer') })).status).toBe(200)
  expect((await read({ authorization: apiKey, 'x-api-key': apiKey })).status).toBe(200)
  // The password of a proxy.
  expect((await read({ authorization: 'Basic YTpi', 'x-api-key': apiKey })).status).toBe(200)
  const differing = await read({ authorization: apiKey, 'x-api-key': other })
  expect([differing.status, differing.body.error?.issues[0]?.path]).toEqual([400, '/header/authorization'])
  for (const authorization of ['Basic YTpi', 'Bearer', `Token ${apiKey}`, apiKey.slice(7)]) {
    const refused = await read({ authorization })
    expect([refused.status, refused.headers.has('www-authenticate')]).toEqual([401, true])
  }
})

test('a slash at the end of a path is a 404 that names the path', async () => {
  const { client, path } = await createOpenWorkspace()
  const { status, body } = await client('GET', `${path}/`)
  expect([status, body.error?.code]).toEqual([404, 'route_not_found'])
  expect(body.message).toBe(`No operation has a path with a slash at the end. Use ${path}.`)
  expect((await client('GET', `${path}/EP-1/unknown/`)).body.message).toContain('/docs')
})
