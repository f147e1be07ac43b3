import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../../client'
import { seededRandom } from '../../files/read-file'
import { simulateImports } from '../../workspace/imports/import-simulation'
import { createImportScenario, type ExportedIdea } from './scenario'

const { below, pick } = seededRandom(12)
const SPECIAL_TEXTS = [...'=+-@\'",;| 5.eé＝', '__proto__', '[]', '{"a":1}', '<b>', '&', '🎈']

function randomCharacter(): string {
  const code = below(0x11) * 0x10000 + 0xa0 + below(0xff00)
  return code >= 0xd800 && code < 0xe000 ? 'x' : String.fromCodePoint(code)
}
const randomText = (most: number) =>
  Array.from({ length: below(most) }, () => (below(3) ? pick(SPECIAL_TEXTS) : randomCharacter()))
    .join('')
    .replace(/[\u0085\u2028\u2029]/g, '')
    .trim()
const randomAddress = () => `p${below(9)}@example.com`

const randomIdea = () => ({
  title: `${randomText(8)}x`,
  type: pick(['idea', 'issue']),
  ...(below(2) && { target_audience: randomText(10), value_proposition: randomText(10) }),
  ...(below(2) && { long_description: pick(['<p>Hi <strong>you</strong></p>', 'plain', '<ul><li>a</li></ul>']) }),
  ...(below(2) && { tags: [`${randomText(4)}t`, 'b,c', '=1'] }),
  ...(below(2) && { collections: [`${randomText(4)}c`, 'a,b'] }),
  ...(below(2) && { attributes: { Größe: randomText(6), n: below(100) / 7, yes: true, '5': '=2' } }),
  ...(below(2) && { user: { email: randomAddress(), name: `${randomText(4)}n` } }),
  ...(below(4) === 0 && { is_anonymous: true }),
  ...(below(2) && { is_pinned: true }),
  ...(below(2) && { is_voting_open: below(2) === 1 }),
  ...(below(2) && { voting_start_time: '2026-01-02T03:04:05.678Z' }),
  ...(below(2) && { voting_end_time: '2027-01-02T03:04:05.678Z' }),
})

async function createRandomIdeas(here: Awaited<ReturnType<typeof createImportScenario>>, count: number) {
  const product = here.product.externalKey
  const category = await here.client<{ id: number }>('POST', '/api/feedback-items/categories', {
    json: { name: 'Look' },
  })
  const status = await here.client<{ id: number }>('POST', '/api/feedback-items/statuses', {
    json: { name: 'Parked' },
  })
  expect(status.status).toBe(201)
  const covers = [await here.uploadImage(), await here.uploadImage(), await here.uploadImage()]
  const voters = await Promise.all(
    Array.from({ length: 9 }, async (_, n) => {
      const { body } = await here.client<{ id: number }>('POST', '/api/v2/users', {
        json: { email: `p${n}@example.com` },
      })
      return body.data.id
    }),
  )
  for (let n = 0; n < count; n++) {
    const json = {
      ...{ ...randomIdea(), product },
      ...(below(2) && { category_id: category.body.data.id }),
      ...(below(2) && { status_id: status.body.data.id }),
      ...(below(2) && { cover_photos: [pick(covers), pick(covers)] }),
    }
    const made = await here.client<{ id: number; external_key: string }>('POST', '/api/feedback-items', { json })
    expect(made.body).toMatchObject({ success: true })
    const visibility_level = pick([null, 'pending', 'approved', 'rejected'])
    await here.client('PUT', `/api/feedback-items/${made.body.data.external_key}`, { json: { visibility_level } })
    const own = { subscription_id: here.subscriptionId, feedback_id: made.body.data.id }
    for (const [place, user_id] of voters.entries()) {
      if (below(3)) continue
      await env.DB.prepare(
        'INSERT INTO feedback_votes (subscription_id, feedback_id, user_id, created_at, type) VALUES (?, ?, ?, ?, ?)',
      )
        .bind(here.subscriptionId, made.body.data.id, user_id, 1_000 * place, pick(['up', 'down']))
        .run()
    }
    let parent: number | null = null
    let isPrivate = 0
    for (let said = below(4); said > 0; said--) {
      // Replies to a private comment are private.
      isPrivate ||= below(2)
      const at = 1_000_000 + n * 100 - said
      const comment = {
        ...own,
        user_id: pick(voters),
        text: `${randomText(9)}x`.replace(/[<&]/g, ''),
        is_private: isPrivate,
        parent_id: parent,
      }
      parent = await here.row('feedback_comments', { ...comment, created_at: at, updated_at: at })
    }
  }
}

/** The fields that survive an import into a different workspace. An export hides anonymous authors. */
const toComparable = ({ external_key, product, id, slug, updated_at, comments = [], ...rest }: ExportedIdea) => ({
  ...rest,
  author: rest.is_anonymous ? '' : rest.author,
  comments: comments.map(({ id: _, parentId, ...said }) => ({
    ...said,
    repliesTo: comments.findIndex((one) => one.id === parentId),
  })),
})

test.each(['csv', 'json', 'ndjson'])('an export as %s is imported into another product unchanged', async (format) => {
  const here = await createImportScenario()
  await createRandomIdeas(here, 40)
  const file = await here.file(`format=${format}&include=comments,votes`)
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const product = other.body.data.externalKey
  const made = await here.run(file, { name: `ideas.${format}`, product })
  expect(made.body.data).toMatchObject({
    mapping: { preset: 'groundwork' },
    totals: { rows: 40, created: 40, rejected: 0 },
  })
  const [from, to] = [await here.items(`&product=${here.product.externalKey}`), await here.items(`&product=${product}`)]
  expect(to.map(toComparable)).toEqual(from.map(toComparable))
  expect(from.flatMap(({ votes = [] }) => votes).length).toBeGreaterThan(40)
  expect(from.flatMap(({ comments = [] }) => comments).filter(({ parentId }) => parentId).length).toBeGreaterThan(5)
  // An import into the source workspace finds each row by its key, and changes nothing.
  const again = await here.run(file, { name: `ideas.${format}`, query: '&onConflict=update' })
  expect(again.body.data.totals).toMatchObject({ created: 0, updated: 0, skipped: 40, rejected: 0 })
  // The slugs are the same in a new workspace, except for number suffixes.
  const there = await createImportScenario()
  await there.run(file, { name: `ideas.${format}` })
  expect((await there.items()).map(({ slug }) => slug.replace(/_\d+$/, ''))).toEqual(
    from.map(({ slug }) => slug.replace(/_\d+$/, '')),
  )
})

test.each(['csv', 'json', 'ndjson'])('votes for and against an item survive an export as %s', async (format) => {
  const here = await createImportScenario()
  const product = here.product.externalKey
  const idea = await here.client<{ external_key: string }>('POST', '/api/feedback-items', {
    json: { title: 'Dark mode', product },
  })
  const vote = (type: string, email: string) =>
    here.client('POST', `/api/feedback-items/${idea.body.data.external_key}/vote`, { json: { type, email } })
  await vote('up', 'ada@example.com')
  await vote('down', 'eve@example.com')
  const there = await createImportScenario()
  await there.run(await here.file(`format=${format}&include=votes`), { name: `ideas.${format}` })
  const { body } = await there.client<{ external_key: string; vote: number }[]>('GET', '/api/feedback-items')
  const [{ external_key: key, vote: up } = { external_key: '', vote: 0 }] = body.data
  const voters = await there.client<{ email: string; type: string }[]>('GET', `/api/feedback-items/${key}/voters`)
  expect([up, voters.body.data.map(({ email, type }) => [email, type]).toSorted()]).toEqual([
    1,
    [
      ['ada@example.com', 'up'],
      ['eve@example.com', 'down'],
    ],
  ])
  // The export also lists the votes of an item that has downvotes only.
  await there.client('POST', `/api/feedback-items/${key}/vote`, { json: { type: 'none', email: 'ada@example.com' } })
  expect((await there.items())[0]?.votes).toEqual([
    { email: 'eve@example.com', type: 'down', createdAt: expect.any(String) },
  ])
})

test('an import leaves out a vote with an unknown type and keeps the row', async () => {
  const here = await createImportScenario()
  const rows = [
    { title: 'Wrong', votes: [{ email: 'ada@example.com', type: 'sideways' }] },
    { title: 'Right', votes: [{ email: 'ada@example.com', type: 'DOWN' }, { email: 'bob@example.com' }] },
  ]
  const { body } = await here.run(JSON.stringify(rows), { name: 'ideas.json' })
  expect(body.data).toMatchObject({ totals: { created: 2, rejected: 0 } })
  expect(JSON.stringify(body.data)).toContain('The type of a vote must be')
  expect((await here.items()).map(({ votes }) => votes?.map(({ type }) => type))).toEqual([[], ['down', 'up']])
})

test('an export counts votes and comments, or lists them on request, in each format', async () => {
  const here = await createImportScenario()
  await createRandomIdeas(here, 3)
  const counted: Record<string, unknown>[] = JSON.parse(await here.file('format=json'))
  expect(counted[0]).toHaveProperty('vote')
  expect(counted[0]).not.toHaveProperty('votes')
  const voted: Record<string, unknown>[] = JSON.parse(await here.file('format=json&include=votes'))
  expect([voted[0]?.votes, voted[0]?.comments]).toEqual([expect.any(Array), undefined])
  const lines = (await here.file('format=ndjson')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(counted)
  const other = await here.client<{ id: number }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const limited = await here.key({ products: [other.body.data.id] })
  const { response } = await send('GET', '/api/feedback-items/export?format=json', { apiKey: limited })
  expect(await response.text()).toBe('[]')
  for (const query of ['format=xml', 'include=people', 'include=votes,', 'limit=1', 'product=NO-PE']) {
    const refused = await send('GET', `/api/feedback-items/export?${query}`, { apiKey: await here.key() })
    expect([query, refused.response.status]).toEqual([query, 400])
    await refused.response.arrayBuffer()
  }
})

test('an export has the items that the filters of the list find', async () => {
  const here = await createImportScenario()
  const product = here.product.externalKey
  const create = (json: object) => here.client('POST', '/api/feedback-items', { json: { product, ...json } })
  const soon = await here.client<{ id: number }>('POST', '/api/feedback-items/statuses', { json: { name: 'Soon' } })
  await create({ title: 'Dark theme', tags: ['Night'] })
  await create({ title: 'Dark menu' })
  const { body } = await here.client<{ external_key: string }>('POST', '/api/feedback-items', {
    json: { product, title: 'Loud bell', tags: ['Night'] },
  })
  const change = { status_id: soon.body.data.id, visibility_level: 'rejected' }
  await here.client('PUT', `/api/feedback-items/${body.data.external_key}`, { json: change })
  const titles = async (query: string) =>
    (JSON.parse(await here.file(`format=json&${query}`)) as { title: string }[]).map(({ title }) => title)
  expect(await titles('q=dark')).toEqual(['Dark theme', 'Dark menu'])
  expect(await titles('tag=night')).toEqual(['Dark theme', 'Loud bell'])
  expect(await titles('tag=night&visibility_level=public')).toEqual(['Dark theme'])
  expect(await titles('status=soon')).toEqual(['Loud bell'])
  const refused = await send('GET', '/api/feedback-items/export?status=nowhere', { apiKey: await here.key() })
  expect(refused.response.status).toBe(400)
})

test('a formula gets an apostrophe in the CSV and loses it in an import', async () => {
  const here = await createImportScenario()
  const title = '=HYPERLINK("https://example.com")'
  await here.client('POST', '/api/feedback-items', { json: { title, product: here.product.externalKey } })
  const file = await here.file()
  expect(file).toContain(`"'=HYPERLINK`)
  const there = await createImportScenario()
  await there.run(file)
  expect((await there.items()).map((item) => item.title)).toEqual([title])
})

const ROWS = 5_200

test('an import killed at each of its batches is complete, and so is its undo', async () => {
  const here = await createImportScenario()
  const lines = Array.from(
    { length: ROWS },
    (_, n) => `Idea ${n % 4_000},"t${n % 50}",p${n % 90}@example.com,v${n % 70}@example.com`,
  )
  const made = await here.run(`title,tags,author,votes\n${lines.join('\n')}\n`)
  expect(made.body.data).toMatchObject({ status: 'pending', totals: { rows: ROWS } })
  const { id } = made.body.data
  const message = { kind: 'import.run' as const, subscriptionId: here.subscriptionId, importId: id }
  const it = simulateImports()
  const killed = async (times: number) => {
    for (let at = 1; at <= times; at++) {
      it.queue = [message]
      it.actionCount = 0
      it.kill = { at: 1 + (at % 3), when: at % 2 ? 'after' : 'before' }
      await it.drain()
      it.killed = false
      it.now += 180_000
      await it.cron().catch(() => undefined)
    }
    await it.restartProcess()
  }
  await killed(5)
  const run = await here.client<Record<string, unknown>>('GET', `/api/v2/imports/${id}`)
  expect(run.body.data).toMatchObject({ status: 'completed', totals: { created: ROWS, rejected: 0 } })
  const items = await here.items()
  expect(items.map(({ title }) => title)).toEqual(Array.from({ length: ROWS }, (_, n) => `Idea ${n % 4_000}`))
  expect(new Set(items.map(({ slug }) => slug)).size).toBe(ROWS)
  expect(new Set(items.map(({ external_key }) => external_key)).size).toBe(ROWS)
  expect(
    items.every(
      ({ vote, tags, author }, n) =>
        vote === 1 && author === `p${n % 90}@example.com` && (tags as string[])[0] === `t${n % 50}`,
    ),
  ).toBe(true)

  await here.client('POST', `/api/v2/imports/${id}/undo`)
  await killed(3)
  const undone = await here.client<Record<string, unknown>>('GET', `/api/v2/imports/${id}`)
  expect(undone.body.data).toMatchObject({ status: 'undone', totals: { kept: 0 } })
  expect(await here.items()).toEqual([])
})
