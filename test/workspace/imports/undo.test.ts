import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createImportScenario, QUEUE, type Run } from './scenario'

async function createUndoScenario() {
  const space = await createImportScenario()
  const { client, product } = space
  const backlog = `/api/initiatives/${product.externalKey}/backlog`
  const importRows = async (path: string, json: object[]) =>
    (await client<Run>('POST', path, { json, env: { QUEUE } })).body.data
  return {
    ...space,
    backlog,
    importItems: (json: object[], query = '') => importRows(`${backlog}/import${query}`, json),
    importIdeas: (json: object[], query = '') =>
      importRows(`/api/feedback-items/import?product=${product.externalKey}${query}`, json),
    undo: async ({ id }: Pick<Run, 'id'>) => (await client<Run>('POST', `/api/v2/imports/${id}/undo`)).body.data,
    send: async <D = never>(path: string, json: object, method = 'POST') => {
      const { body } = await client<D>(method, path, { json })
      expect([path, body.message, body.success]).toEqual([path, body.message, true])
      return body.data
    },
  }
}

const NAMES = ['author', 'voter', 'commenter', 'moderator', 'follower', 'reporter', 'assignee']
const addressOf = (name: string) => `${name}@example.com`
const CONTACTS = `email\n${[...NAMES, 'nobody'].map(addressOf).join('\n')}\n`

const IDEAS = [
  {
    title: 'Dark mode',
    author: addressOf('author'),
    votes: [addressOf('voter')],
    comments: [
      { text: 'Yes', email: addressOf('commenter') },
      { text: 'Later', email: addressOf('moderator'), isPrivate: true },
    ],
    followers: [{ email: addressOf('follower'), reason: 'asked' }],
  },
]
const ITEMS = [
  {
    summary: 'Shop',
    type: 'story',
    assignee: addressOf('assignee'),
    comments: [{ text: 'Broken', email: addressOf('reporter') }],
  },
]

test('an undo of people keeps members who wrote, voted, follow an idea or are assigned', async () => {
  const { run, people, importIdeas, importItems, undo } = await createUndoScenario()
  const contacts = (await run(CONTACTS)).body.data
  const stored = await people()
  await importIdeas(IDEAS)
  await importItems(ITEMS)
  const undone = await undo(contacts)
  expect(undone).toMatchObject({ status: 'undone', totals: { kept: NAMES.length } })
  expect(undone.kept).toEqual(
    NAMES.map((_, n) => ({
      row: n + 1,
      externalKey: null,
      id: stored[n]?.id,
      reason: expect.stringContaining('wrote an idea or a comment'),
    })),
  )
  expect((await people()).map(({ email }) => email)).toEqual(NAMES.map(addressOf))
})

test('an undo of people leaves nothing after the undo of their ideas and items', async () => {
  const { run, people, importIdeas, importItems, undo } = await createUndoScenario()
  const contacts = (await run(CONTACTS)).body.data
  for (const made of [await importIdeas(IDEAS), await importItems(ITEMS)])
    expect(await undo(made)).toMatchObject({ totals: { kept: 0 } })
  expect(await undo(contacts)).toMatchObject({ totals: { kept: 0 } })
  expect(await people()).toEqual([])
})

test('an undo of items keeps items with comments, links and ideas from after the import, and their parents', async () => {
  const { importItems, undo, send, client, backlog, product, subscriptionId } = await createUndoScenario()
  const P = `/api/initiatives/${product.externalKey}`
  const own = await send<{ externalKey: string }>(`${P}/epics`, { summary: 'By hand' })
  const said = [{ text: 'From the file' }]
  const rows = [
    { type: 'epic', summary: 'Epic', id: 'A' },
    { type: 'feature', summary: 'Feature', id: 'B', parent: 'A' },
    { type: 'story', summary: 'Commented', parent: 'B', comments: said },
    { type: 'story', summary: 'Linked to another item' },
    { type: 'story', summary: 'Linked to the next', comments: said },
    { type: 'story', summary: 'Linked to the former' },
    { type: 'epic', summary: 'Wanted' },
    { type: 'epic', summary: 'Edited comment', comments: said },
  ]
  const made = await importItems(rows)
  expect(made.totals).toMatchObject({ created: rows.length })
  const items = (await client<{ externalKey: string; summary: string }[]>('GET', `${P}/storyMap/card`)).body.data
  const keyOf = (summary: string) => items.find((item) => item.summary === summary)?.externalKey ?? ''
  await send(`${backlog}/${keyOf('Commented')}/comments`, { text: 'By hand' })
  await send(`${backlog}/${keyOf('Linked to another item')}/links`, { type: 'blocks', to: own.externalKey })
  await send(`${backlog}/${keyOf('Linked to the next')}/links`, {
    type: 'relates',
    to: keyOf('Linked to the former'),
  })
  const idea = await send<{ external_key: string }>('/api/feedback-items', { title: 'X', product: product.externalKey })
  const linkIdea = `UPDATE feedback_items SET work_item_id = (SELECT id FROM work_items
    WHERE subscription_id = ?1 AND external_key = 'EP-3') WHERE subscription_id = ?1 AND external_key = ?2`
  await env.DB.prepare(linkIdea).bind(subscriptionId, idea.external_key).run()
  const [comment] = (await client<{ id: number }[]>('GET', `${backlog}/EP-4/comments`)).body.data
  await send(`${backlog}/comments/${comment?.id}`, { text: 'Edited' }, 'PUT')
  const undone = await undo(made)
  expect(undone.kept.map(({ row, externalKey }) => [row, externalKey])).toEqual([
    [1, 'EP-2'],
    [2, 'FE-1'],
    [3, keyOf('Commented')],
    [4, keyOf('Linked to another item')],
    [7, 'EP-3'],
    [8, 'EP-4'],
  ])
  expect((await client('GET', `${backlog}/${keyOf('Linked to the next')}`)).status).toBe(404)
})

test('an undo removes created records in the trash for good', async () => {
  const { run, people, importItems, importIdeas, undo, client, product } = await createUndoScenario()
  const P = `/api/initiatives/${product.externalKey}`
  const runs = [
    await importItems([{ type: 'story', summary: 'Story' }]),
    await importIdeas([{ title: 'Idea' }]),
    (await run('email\nada@example.com\n')).body.data,
  ]
  const [ada] = await people()
  const ideas = (await client<{ external_key: string }[]>('GET', '/api/feedback-items')).body.data
  for (const [n, path] of [
    `${P}/storyMap/card/US-1`,
    `/api/feedback-items/${ideas[0]?.external_key}`,
    `/api/v2/users/${ada?.id}`,
  ].entries()) {
    expect([path, (await client('DELETE', path)).status]).toEqual([path, 200])
    expect(await undo(runs[n] as Run)).toMatchObject({ status: 'undone', totals: { kept: 0 } })
    expect([path, (await client('POST', `${path}/restore`)).status]).toEqual([path, 404])
  }
  expect((await run('email\nada@example.com\n')).body.data.totals).toMatchObject({ created: 1 })
})

test('an undo lists updated records in the trash', async () => {
  const { importItems, undo, client, product } = await createUndoScenario()
  await importItems([{ type: 'story', summary: 'Story' }])
  const update = await importItems([{ key: 'US-1', type: 'story', summary: 'New' }], '?onConflict=update')
  await client('DELETE', `/api/initiatives/${product.externalKey}/storyMap/card/US-1`)
  expect(await undo(update)).toMatchObject({
    totals: { updated: 1, kept: 1 },
    kept: [{ row: 1, externalKey: 'US-1', id: null, reason: 'The item was removed after the import.' }],
  })
})
