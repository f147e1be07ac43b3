import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'
import { fileForm, PIXEL_PNG } from '../world'

const PATH = '/api/v2/settings/portal'

const DEFAULTS = {
  ...{ slug: null, name: null, visibility: 'public', segments: [], products: [], statuses: null, categories: null },
  ...{ signUp: 'anyone', accent: '#0b6e5f', mode: 'system', logo: null, darkLogo: null, locale: 'en' },
  ...{ roadmap: true, changelog: true, endUserSecretRotatedAt: null, domain: null, domainVerified: false },
}

const uniqueSlug = () => `p-${createUniqueId().slice(0, 12)}`

async function upload({ client, product }: Workspace, content: string | Uint8Array<ArrayBuffer>, name: string) {
  const raw = fileForm('file', content, name)
  const { body } = await client<{ id: number }>('POST', `/api/initiatives/${product.externalKey}/assets`, { raw })
  return body.data.id
}

test('a workspace has portal settings from the beginning, and an update changes only the sent members', async () => {
  const { client, product, subscriptionId } = await createWorkspace()
  const first = await client('GET', PATH)
  expect([first.status, first.body.data, first.cost.roundTrips]).toEqual([200, DEFAULTS, 1])
  const slug = uniqueSlug()
  const json = { slug, name: 'Ideas', products: [product.externalKey], roadmap: false, accent: '#aa00ff' }
  const opened = await client('PUT', PATH, { json })
  expect([opened.status, opened.body.data, opened.cost.roundTrips]).toEqual([200, { ...DEFAULTS, ...json }, 1])
  const again = await client('PUT', PATH, { json })
  expect([again.body.data, again.cost.rowsWritten]).toEqual([{ ...DEFAULTS, ...json }, 0])
  const { results } = await env.DB.prepare('SELECT type, previous FROM log WHERE subscription_id = ?')
    .bind(subscriptionId)
    .all<{ type: string; previous: string }>()
  expect(results.map(({ type, previous }) => [type, JSON.parse(previous)])).toEqual([
    ['portal.updated', { slug: null, name: null, products: [], roadmap: true, accent: '#0b6e5f' }],
  ])
  const stale = await client('PUT', PATH, { json: { name: null }, headers: { 'if-match': '"v1"' } })
  expect(stale.status).toBe(412)
})

test('a slug belongs to one portal of the service', async () => {
  const [one, other] = [await createWorkspace(), await createWorkspace()]
  const slug = uniqueSlug()
  expect((await one.client('PUT', PATH, { json: { slug } })).status).toBe(200)
  const taken = await other.client('PUT', PATH, { json: { slug } })
  expect([taken.status, taken.body.error?.code, taken.body.message]).toEqual([
    409,
    'conflict',
    '/slug: Another portal has this slug. Choose another slug.',
  ])
  expect((await one.client('PUT', PATH, { json: { slug, name: 'Same' } })).status).toBe(200)
  expect((await one.client('PUT', PATH, { json: { slug: null } })).status).toBe(200)
  expect((await other.client('PUT', PATH, { json: { slug } })).status).toBe(200)
})

test('wrong portal settings are refused with the member that is wrong', async () => {
  const workspace = await createWorkspace()
  const refused: [object, string][] = [
    [{ slug: 'A' }, '/slug'],
    [{ slug: 'a' }, '/slug'],
    [{ slug: 'a--b' }, '/slug'],
    [{ slug: '-ab' }, '/slug'],
    [{ accent: 'red' }, '/accent'],
    [{ accent: '#FFFFFF' }, '/accent'],
    [{ visibility: 'secret' }, '/visibility'],
    [{ locale: 'xx' }, '/locale'],
    [{ statuses: [0] }, '/statuses/0'],
  ]
  for (const [json, path] of refused) {
    const answer = await workspace.client('PUT', PATH, { json })
    expect([json, answer.status, answer.body.error?.issues[0]?.path]).toEqual([json, 400, path])
  }
  const unknown = { products: ['NO-1'], statuses: [2 ** 31], categories: [2 ** 31], segments: [2 ** 31] }
  for (const [name, ids] of Object.entries(unknown)) {
    const answer = await workspace.client('PUT', PATH, { json: { [name]: ids } })
    expect([name, answer.body.error?.issues[0]]).toMatchObject([
      name,
      { path: `/${name}/0`, code: 'unknown_reference' },
    ])
  }
})

test('a logo is an SVG or PNG of at most 64 kB', async () => {
  const workspace = await createWorkspace()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const logo = await upload(workspace, svg, 'logo.svg')
  const darkLogo = await upload(workspace, PIXEL_PNG, 'dark.png')
  const saved = await workspace.client('PUT', PATH, { json: { logo, darkLogo } })
  expect([saved.status, saved.body.data]).toMatchObject([200, { logo, darkLogo }])
  for (const [content, name] of [
    ['text', 'logo.txt'],
    [svg + ' '.repeat(65_536), 'large.svg'],
  ] as const) {
    const refused = await workspace.client('PUT', PATH, { json: { logo: await upload(workspace, content, name) } })
    expect([refused.status, refused.body.error?.issues[0]?.path]).toEqual([400, '/logo'])
  }
})
