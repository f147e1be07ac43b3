import { expect, test } from 'vitest'
import { call, send } from '../client'
import { createWorkspace, type Workspace } from '../factories'
import { createUniqueId } from '../unique'
import { fileForm, PIXEL_PNG } from '../world'

interface Entry {
  key: string
  title: string
  cover: number | null
  versions: string[]
  ideas: { key: string; title: string; votes: number; comments: number }[]
}
interface Page {
  entries: Entry[]
  next: string | null
}

async function createPortal(settings: object = {}) {
  const workspace: Workspace = await createWorkspace()
  const write = async <D = { externalKey: string; external_key: string; id: number }>(
    method: string,
    path: string,
    json: object = {},
  ) => {
    const { status, body } = await workspace.client<D>(method, path, { json })
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body.data
  }
  const slug = `c-${createUniqueId().slice(0, 12)}`
  const product = workspace.product.externalKey
  await write('PUT', '/api/v2/settings/portal', { slug, name: 'Acme <news>', products: [product], ...settings })
  return {
    ...{ ...workspace, write, slug, path: `/api/v2/portal/${slug}` },
    /** Publishes an entry and returns its key. */
    async publish(json: object) {
      const { externalKey } = await write('POST', '/api/v2/changelog', json)
      await write('POST', `/api/v2/changelog/${externalKey}/publish`)
      return externalKey
    },
  }
}

const readPage = async (path: string, query = '') => {
  const { status, body, cost } = await call<Page>('GET', `${path}/changelog${query}`, {})
  expect(status, JSON.stringify(body)).toBe(200)
  return { ...body.data, keys: body.data.entries.map(({ key }) => key), cost }
}

test('a visitor reads published entries of public products, with public ideas and released versions', async () => {
  const { write, publish, path, product, client } = await createPortal()
  const hidden = (await write('POST', '/api/initiatives', { name: 'Hidden' })).externalKey
  const idea = async (title: string, of: string) =>
    (await write('POST', '/api/feedback-items', { title, product: of })).external_key
  const [shown, secret, pending] = [
    await idea('Dark theme', product.externalKey),
    await idea('Secret', hidden),
    await idea('Spam', product.externalKey),
  ]
  await write('PUT', `/api/feedback-items/${pending}`, { visibility_level: 'pending' })
  const at = `/api/initiatives/${product.externalKey}/solution-versions`
  const [released, planned] = [await write('POST', at, { name: 'Spring' }), await write('POST', at, { name: 'Summer' })]
  await write('POST', `${at}/${released.externalKey}/release`)
  const raw = fileForm('file', PIXEL_PNG, 'dot.png', 'image/png')
  const upload = () => client<{ id: number }>('POST', `/api/initiatives/${product.externalKey}/assets`, { raw })
  const [cover, other] = [(await upload()).body.data.id, (await upload()).body.data.id]

  const first = await publish({
    ...{ title: 'Themes', content: '<p>Choose one.</p>', labels: ['New'], product: product.externalKey, cover },
    ...{ ideas: [shown, secret, pending], versions: [released.externalKey, planned.externalKey] },
  })
  await publish({ title: 'Hidden', product: hidden })
  const second = await publish({ title: 'For everybody' })
  await write('POST', '/api/v2/changelog', { title: 'Draft' })
  await write('POST', '/api/v2/changelog', { title: 'Scheduled', publishAt: '2999-01-01' })
  const removed = await publish({ title: 'Removed' })
  await write('DELETE', `/api/v2/changelog/${removed}`)

  await readPage(path)
  const page = await readPage(path)
  expect([page.keys, page.next, page.cost.roundTrips]).toEqual([[second, first], null, 1])
  const one = await call<Entry>('GET', `${path}/changelog/${first}`, {})
  expect(one.body.data).toEqual(page.entries[1])
  expect(one.body.data).toMatchObject({
    ...{ key: first, html: '<p>Choose one.</p>', labels: ['New'], cover, product: product.externalKey },
    ...{ versions: ['Spring'], ideas: [{ key: shown, title: 'Dark theme', votes: 0, comments: 0 }] },
  })
  for (const key of ['CL-2', 'CL-4', 'CL-5', removed, 'CL-99'])
    expect([key, (await call('GET', `${path}/changelog/${key}`, {})).status]).toEqual([key, 404])
  expect((await send('GET', `${path}/files/${cover}`, {})).response.status).toBe(200)
  expect((await send('GET', `${path}/files/${other}`, {})).response.status).toBe(404)
  await write('POST', `/api/v2/changelog/${first}/unpublish`)
  expect((await send('GET', `${path}/files/${cover}`, {})).response.status).toBe(404)
  expect((await readPage(path)).keys).toEqual([second])
})

test('pages follow each other without gaps, also among entries of one moment, and labels filter', async () => {
  const { publish, path, row, subscriptionId } = await createPortal()
  const keys: string[] = []
  for (let n = 0; n < 5; n++) {
    const key = `CL-${100 + n}`
    await row('changelog_entries', {
      ...{ subscription_id: subscriptionId, external_key: key, title: key, status: 'published', published_at: 1_000 },
      ...{ labels: n % 2 ? '["Odd"]' : '[]', created_at: 0, updated_at: 0 },
    })
    keys.unshift(key)
  }
  keys.unshift(await publish({ title: 'Newest', content: `<p>${'x'.repeat(250_000)}</p>` }))
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(path, `?limit=2${next && `&after=${next}`}`)
    seen.push(...page.keys)
    next = page.next
  }
  expect(seen).toEqual(keys)
  expect((await readPage(path, '?label=Odd')).keys).toEqual(['CL-103', 'CL-101'])
  expect((await readPage(path, '?label=odd')).keys).toEqual([])
  expect((await call('GET', `${path}/changelog?after=1-x`, {})).status).toBe(400)
})

test('a page ends at a million characters, and the next page continues', async () => {
  const { path, row, subscriptionId } = await createPortal()
  for (let n = 0; n < 4; n++)
    await row('changelog_entries', {
      ...{ subscription_id: subscriptionId, external_key: `CL-${10 + n}`, title: 'Long', content: 'x'.repeat(400_000) },
      ...{ status: 'published', published_at: n + 1, created_at: 0, updated_at: 0 },
    })
  const first = await readPage(path)
  expect(first.keys).toEqual(['CL-13', 'CL-12', 'CL-11'])
  expect((await readPage(path, `?after=${first.next}`)).keys).toEqual(['CL-10'])
})

test('a portal without a changelog has no entries and no feed', async () => {
  const { publish, path } = await createPortal({ changelog: false })
  const key = await publish({ title: 'Unseen' })
  expect((await readPage(path)).keys).toEqual([])
  expect((await call('GET', `${path}/changelog/${key}`, {})).status).toBe(404)
  for (const feed of ['changelog.atom', 'changelog.json'])
    expect((await send('GET', `${path}/${feed}`, {})).response.status).toBe(404)
})

test('the feeds have stable ids and times, are kept at the edge, and answer 304', async () => {
  const { write, publish, path, slug } = await createPortal()
  const key = await publish({ title: 'A <b> & "c"', content: '<p>Text</p>', labels: ['New'] })
  const read = async (file: string, headers = {}) => {
    const { response, cost } = await send('GET', `${path}/${file}`, { headers })
    return { status: response.status, headers: response.headers, text: await response.text(), cost }
  }
  const atom = await read('changelog.atom')
  expect(atom.headers.get('content-type')).toBe('application/atom+xml')
  expect(atom.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60, stale-while-revalidate=300')
  expect(atom.text).toContain('<title>Acme &lt;news&gt;</title>')
  expect(atom.text).toContain('<title>A &lt;b&gt; &amp; &quot;c&quot;</title>')
  expect(atom.text).toMatch(
    new RegExp(`<link rel="alternate" type="text/html" href="https?://[^"]+/p/${slug}/changelog/${key}"/>`),
  )
  const etag = atom.headers.get('etag') ?? ''
  expect(await read('changelog.atom', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })

  const json = await read('changelog.json')
  expect(json.headers.get('content-type')).toBe('application/feed+json')
  const feed = JSON.parse(json.text) as { version: string; items: { id: string; title: string; tags: string[] }[] }
  expect(feed).toMatchObject({
    version: 'https://jsonfeed.org/version/1.1',
    items: [{ title: 'A <b> & "c"', tags: ['New'] }],
  })
  expect(atom.text).toContain(`<id>${feed.items[0]?.id}</id>`)

  await write('PUT', `/api/v2/changelog/${key}`, { title: 'Changed' })
  await write('PUT', '/api/v2/settings/portal', { slug: `${slug}-2` })
  const { response } = await send('GET', `${path}-2/changelog.atom`, {})
  const changed = await response.text()
  expect(changed).toContain('<title>Changed</title>')
  expect(changed).toContain(`<id>${feed.items[0]?.id}</id>`)
  expect(response.headers.get('etag')).not.toBe(etag)
  expect(changed.match(/<updated>([^<]+)/)?.[1]).not.toBe(atom.text.match(/<updated>([^<]+)/)?.[1])
})

interface Preview extends Entry {
  isShown: boolean
  coverUrl: string | null
  publishedAt: string | null
  mail: Record<string, number | boolean>
}

test('the preview of a draft shows what readers would see, and whom the publication mails, in one round trip', async () => {
  const { write, product, client } = await createPortal()
  const hidden = (await write('POST', '/api/initiatives', { name: 'Hidden' })).externalKey
  const idea = async (of: string) =>
    (await write('POST', '/api/feedback-items', { title: 'Dark theme', product: of })).external_key
  const shown = await idea(product.externalKey)
  const at = `/api/initiatives/${product.externalKey}`
  const planned = (await write('POST', `${at}/solution-versions`, { name: 'Winter' })).externalKey
  const raw = fileForm('file', PIXEL_PNG, 'dot.png', 'image/png')
  const { body: file } = await client<{ id: number }>('POST', `${at}/assets`, { raw })
  for (const email of ['ada@example.com', 'bounced@example.com'])
    await write('POST', '/api/v2/changelog/subscription', { email })
  await write('POST', '/api/v2/changelog/subscription')
  await write('POST', '/api/v2/suppressions', { email: 'bounced@example.com' })
  const entry = { title: 'Dark', ideas: [shown, await idea(hidden)], versions: [planned], cover: file.data.id }
  const { externalKey } = await write('POST', '/api/v2/changelog', { ...entry, product: product.externalKey })
  const read = () => client<Preview>('GET', `/api/v2/changelog/${externalKey}/preview`)
  const { body, cost } = await read()
  expect(cost.roundTrips).toBe(1)
  expect(body.data).toMatchObject({
    ...{ key: externalKey, versions: [], isShown: true, publishedAt: null },
    ideas: [{ key: shown, title: 'Dark theme', votes: 0, comments: 0 }],
    coverUrl: `${at}/assets/${file.data.id}/download`,
    mail: { recipients: 1, followers: 2, stopped: 0, suppressed: 1, wasMailed: false, isComplete: true },
  })
  await write('PUT', `/api/v2/changelog/${externalKey}`, { product: hidden })
  expect((await read()).body.data.isShown).toBe(false)
})

test('the preview of an entry of another product is a 404', async () => {
  const { write, client, key, product } = await createPortal()
  const hidden = (await write('POST', '/api/initiatives', { name: 'Hidden' })).externalKey
  const { externalKey } = await write('POST', '/api/v2/changelog', { title: 'Dark', product: hidden })
  const apiKey = await key({ products: [product.id] })
  const reply = await client('GET', `/api/v2/changelog/${externalKey}/preview`, { apiKey })
  expect([reply.status, reply.body.error?.code]).toEqual([404, 'changelog_entry_not_found'])
})
