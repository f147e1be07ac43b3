import { expect, test } from 'vitest'
import { slugify, slugifyName } from '../../src/text/slug'
import { createWorkspace, type Workspace } from '../factories'

/** Each line has names of its own, which a reader tells apart. */
const DIFFERENT_NAMES = [
  ['❤️', '☀️', '✔️', '⚠️', '🔥', '👍🏽', '👍'],
  ['⚠️ risk', '⚡️ risk', 'risk'],
  ['.NET', 'NET'],
  ['1️⃣', '2️⃣', '1', '2', '①'],
  ['🇩🇪', '🇫🇷', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👨‍👩‍👧', '👨‍👩‍👦'],
  ['C', 'C++', 'C#', 'C*', 'C-'],
  ['$ price', '€ price', 'price'],
  ['< 5', '> 5', '5', '-5'],
  ['!important', 'important'],
  [`${'x'.repeat(90)}1`, `${'x'.repeat(90)}2`],
  ['мать', 'мат', 'mat', 'mat-'],
  ['край', 'краи', 'Ж', 'Zh', 'ел', 'ёл'],
  ['α', 'a', 'Ω', 'O'],
  ['½', '1/2', 'x²', 'x2', 'x 2'],
  ['🔥🔥🔥🔥🔥🔥🔥🔥🔥', '🔥🔥🔥🔥🔥🔥🔥🔥', '🔥🔥🔥🔥🔥🔥🔥🔥⚡'],
]
const ALL_NAMES = [...new Set(DIFFERENT_NAMES.flat())]

/** Spellings of a name. */
const SAME_NAMES = [
  ['❤️', '❤', '\ufeff❤️'],
  ['Größe & Farbe', 'grosse and FARBE', ' Größe  &  Farbe!'],
  ['Оплата', 'оплата', 'ОПЛАТА ', 'опла\u0301та'],
  ['Σίσυφος', 'ΣΙΣΥΦΟΣ', 'σισυφοσ'],
  ['mobile', 'Mobile', 'mo\u00adbile', 'ＭＯＢＩＬＥ'],
  ['می‌خواهم', 'میخواهم'],
]

test('names that differ in a sign have different slugs, and a slug is the name of itself', () => {
  const slugs = ALL_NAMES.map(slugifyName)
  expect(new Set(slugs).size).toBe(ALL_NAMES.length)
  expect(slugs.map(slugifyName)).toEqual(slugs)
  for (const slug of slugs) expect([slug, slug.length <= 80, /[\p{L}\p{N}]/u.test(slug)]).toEqual([slug, true, true])
  for (const spellings of SAME_NAMES) expect(new Set(spellings.map(slugifyName)).size, spellings[0]).toBe(1)
})

test('a slug of signs is visible, and a slug with letters has no invisible character', () => {
  expect(['❤️', '☀️', '👩‍🚀', '\u200b'].map(slugify)).toEqual(['2764', '2600', '1f469-1f680', '200b'])
  expect(['⚠️ risk', 'mo\u00adbile'].map(slugify)).toEqual(['risk', 'mobile'])
})

interface Named {
  id: number
  name: string
  slug: string
}

const tagsOf = ({ product }: Workspace) => `/api/initiatives/${product.externalKey}/tags`

test.each([
  ['tags', tagsOf],
  ['categories', () => '/api/feedback-items/categories'],
  ['statuses', () => '/api/feedback-items/statuses'],
])('%s with different names are different records, and another spelling is a conflict', async (_, pathOf) => {
  const world = await createWorkspace()
  const path = pathOf(world)
  const slugs: string[] = []
  for (const name of ALL_NAMES) {
    const made = await world.client<Named>('POST', path, { json: { name } })
    expect([name, made.status]).toEqual([name, 201])
    slugs.push(made.body.data.slug)
  }
  expect(new Set(slugs).size).toBe(ALL_NAMES.length)
  const again = await world.client('POST', path, { json: { name: '❤' } })
  expect([again.status, again.body.error?.code]).toEqual([409, 'conflict'])
})

test('an idea has each of its tags, and the lists of ideas and work items are filtered by a tag', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const epics = `/api/initiatives/${product.externalKey}/epics`
  for (const names of DIFFERENT_NAMES) {
    const json = { title: names.join(' '), product: product.externalKey, tags: names }
    const { body } = await client<{ tags: { key: string }[] }>('POST', '/api/feedback-items', { json })
    expect(body.data.tags.map(({ key }) => key).sort()).toEqual([...names].sort())
  }
  for (const name of ['❤️', '☀️', '.NET', 'NET', '⚠️ risk', 'risk']) {
    await client('POST', epics, { json: { summary: name, tags: JSON.stringify([name]) } })
    await client('POST', '/api/feedback-items', {
      json: { title: `Only ${name}`, product: product.externalKey, tags: [name] },
    })
  }
  for (const name of ['❤️', '☀️', '.NET', 'NET', '⚠️ risk', 'risk']) {
    const tag = encodeURIComponent(name)
    const items = await client<{ summary: string }[]>('GET', `${epics}?tag=${tag}`)
    expect(items.body.data.map(({ summary }) => summary)).toEqual([name])
    const ideas = await client<{ title: string }[]>('GET', `/api/feedback-items?tag=${tag}`)
    expect(ideas.body.data[0]?.title).toBe(`Only ${name}`)
    expect(ideas.body.data).toHaveLength(2)
  }
})

test('an idea whose title is a sign has a slug that can be seen', async () => {
  const { client, product } = await createWorkspace()
  const slugs: string[] = []
  for (const title of ['❤️', '☀️', '❤️']) {
    const made = await client<Named>('POST', '/api/feedback-items', { json: { title, product: product.externalKey } })
    slugs.push(made.body.data.slug)
  }
  expect(slugs.slice(0, 2)).toEqual(['2764', '2600'])
  expect(slugs[2]).toMatch(/^2764_\d+$/)
})
