import { expect, test } from 'vitest'
import { createIdeaImports, createImportScenario, type ExportedIdea } from './scenario'

const MODERATION = ['visibility_level', 'is_pinned', 'is_voting_open', 'voting_start_time', 'voting_end_time'] as const

const listModeration = (items: ExportedIdea[]) => items.map((item) => MODERATION.map((name) => item[name]))
const pathOf = (productKey: string, id: number) => `/api/initiatives/${productKey}/assets/${id}/download`

test('a row sets the moderation and the voting of an idea, and the undo restores them', async () => {
  const here = await createImportScenario()
  const rows = [
    'title,visibility_level,is_pinned,is_voting_open,voting_start_time,voting_end_time,external_key',
    'One,approved,true,false,2026-01-02T03:04:05.678Z,2027-01-02,',
    'Two,,,,,,',
    'Three,hidden,perhaps,,2027-01-02,2026-01-02,',
  ]
  const made = await here.run(rows.join('\n'))
  expect(made.body.data).toMatchObject({ totals: { created: 3, rejected: 0 } })
  expect(made.body.data.warnings.map(({ field, value }) => [field, value])).toEqual([
    ['visibilityLevel', 'hidden'],
    ['isPinned', 'perhaps'],
    ['votingEndTime', '2026-01-02'],
  ])
  const items = await here.items()
  expect(listModeration(items)).toEqual([
    ['approved', true, false, '2026-01-02T03:04:05.678Z', '2027-01-02T00:00:00.000Z'],
    [null, null, null, null, null],
    [null, null, null, '2027-01-02T00:00:00.000Z', null],
  ])
  const [one] = items
  const change = [rows[0], `One,rejected,,true,,2026-06-01,${one?.external_key}`].join('\n')
  const changed = await here.run(change, { query: '&onConflict=update' })
  expect(changed.body.data.totals).toMatchObject({ updated: 1 })
  // The voting of the row replaces the voting of the idea.
  expect(listModeration(await here.items())[0]).toEqual(['rejected', true, true, null, '2026-06-01T00:00:00.000Z'])
  await here.client('POST', `/api/v2/imports/${changed.body.data.id}/undo`)
  expect(listModeration(await here.items())).toEqual(listModeration(items))
})

test('an imported idea waits for the moderation of the workspace, unless the file has a decision', async () => {
  const here = await createImportScenario()
  await here.client('PUT', '/api/v2/settings', { json: { feedback: { moderation: true } } })
  await here.run('title,visibility_level\nOne,\nTwo,approved')
  expect((await here.items()).map((item) => item.visibility_level)).toEqual(['pending', 'approved'])
})

test('cover photos of an export are found in the workspace, also by an update', async () => {
  const here = await createImportScenario()
  const [first, second] = [await here.uploadImage(), await here.uploadImage()]
  const json = { title: 'Dark', product: here.product.externalKey, cover_photos: [second, first] }
  await here.client('POST', '/api/feedback-items', { json })
  const file = await here.file()
  const other = await here.client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  const product = other.body.data.externalKey
  expect((await here.run(file, { product })).body.data).toMatchObject({ totals: { created: 1 }, warnings: [] })
  const covers = async (query: string) => (await here.items(query)).map((item) => item.cover_photo_url)
  const expected = [second, first].map((id) => pathOf(here.product.externalKey, id)).join()
  expect(await covers(`&product=${product}`)).toEqual([expected])
  const [idea] = await here.items(`&product=${product}`)
  await here.client('PUT', `/api/feedback-items/${idea?.external_key}`, { json: { cover_photos: [] } })
  const update = { product, query: '&onConflict=update' }
  const changed = file.replace(/IDEA-\d+/, idea?.external_key ?? '')
  expect((await here.run(changed, update)).body.data.totals).toMatchObject({ updated: 1 })
  expect(await covers(`&product=${product}`)).toEqual([expected])
  expect((await here.run(changed, update)).body.data.totals).toMatchObject({ updated: 0, skipped: 1 })
})

test('foreign addresses, files of another workspace and of a hidden product are no cover photos', async () => {
  const here = await createImportScenario()
  const there = await createImportScenario()
  const image = await here.uploadImage()
  const foreign = await there.uploadImage()
  const other = await here.client<{ externalKey: string; id: number }>('POST', '/api/initiatives', {
    json: { name: 'Other' },
  })
  const hidden = await here.uploadImage(other.body.data.externalKey)
  const own = here.product.externalKey
  const paths = [
    'https://example.com/cat.png',
    `https://example.com${pathOf(own, image)}`,
    pathOf(own, foreign),
    pathOf(there.product.externalKey, foreign),
    pathOf(own, hidden),
    pathOf(other.body.data.externalKey, hidden),
    '=1+1',
  ]
  const rows = paths.map((cover_photo_url, n) => ({
    ...{ external_key: '', title: `Idea ${n}`, long_description: '', author: '', vote: 0, created_at: '' },
    cover_photo_url: `${cover_photo_url},${pathOf(own, image)}`,
  }))
  const apiKey = await here.key({ products: [here.product.id] })
  for (const query of ['&dryRun=true', '']) {
    const run = await here.run(JSON.stringify(rows), { name: 'ideas.json', apiKey, query })
    expect(run.body.data).toMatchObject({ totals: { created: paths.length }, mapping: { preset: 'groundwork' } })
    expect(run.body.data.warnings.map(({ field, value }) => [field, value])).toEqual(
      paths.map((path) => ['coverPhotos', path]),
    )
  }
  const shown = (await here.items()).map((item) => item.cover_photo_url)
  expect(shown).toEqual(paths.map(() => pathOf(own, image)))
  const unlimited = await createIdeaImports(here).run(JSON.stringify(rows), { name: 'ideas.json' })
  // A key without a limit finds the image of the other product.
  expect(unlimited.body.data.warnings.map(({ value }) => value)).toEqual(paths.filter((_, n) => n !== 5))
})

test('a long list of cover photos is read up to a limit, with a warning', async () => {
  const here = await createImportScenario()
  const image = await here.uploadImage()
  const paths = Array.from({ length: 10_000 }, (_, n) => pathOf('NO-1', n + 1))
  const cover_photo_url = [pathOf(here.product.externalKey, image), ...paths].join()
  const idea = { external_key: '', title: 'Long', long_description: '', author: '', vote: 0, created_at: '' }
  const made = (await here.run(JSON.stringify([{ ...idea, cover_photo_url }]), { name: 'ideas.json' })).body.data
  expect(made.warnings.map(({ value }) => value)).toEqual([null, ...paths.slice(0, 39)])
  const [item] = await here.items()
  expect(item?.cover_photo_url).toBe(pathOf(here.product.externalKey, image))
})
