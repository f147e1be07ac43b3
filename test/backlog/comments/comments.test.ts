import { expect, test } from 'vitest'
import { createWorkspace } from '../../factories'

interface Comment {
  id: number
  workItemKey: string
  parentId: number | null
  text: string
  deleted: boolean
}

test('work items have comments like ideas, by their present or former key', async () => {
  const { client, product } = await createWorkspace()
  const P = `/api/initiatives/${product.externalKey}`
  await client('POST', `${P}/epics`, { json: { summary: 'Checkout' } })
  await client('POST', `${P}/epics`, { json: { summary: 'Other' } })
  const first = await client<Comment>('POST', `${P}/backlog/EP-1/comments`, { json: { text: '<b>Why</b>?' } })
  expect([first.status, first.cost.roundTrips]).toEqual([201, 1])
  expect(first.body.data).toMatchObject({ workItemKey: 'EP-1', parentId: null, text: '<b>Why</b>?', deleted: false })
  const at = `${P}/backlog/comments/${first.body.data.id}`
  expect(first.headers.get('location')).toBe(at)
  const reply = await client<Comment>('POST', `${at}/reply`, { json: { text: 'Because' } })
  expect(reply.body.data).toMatchObject({ workItemKey: 'EP-1', parentId: first.body.data.id })
  await client('POST', `${P}/backlog/EP-1/convert`, { json: { type: 'feature' } })
  await client('DELETE', at)
  for (const key of ['EP-1', 'FE-1']) {
    const { body } = await client<Comment[]>('GET', `${P}/backlog/${key}/comments`)
    expect(body.data.map(({ text, deleted, workItemKey }) => [text, deleted, workItemKey])).toEqual([
      ['', true, 'FE-1'],
      ['Because', false, 'FE-1'],
    ])
  }
  expect((await client<Comment[]>('GET', `${P}/backlog/EP-2/comments`)).body.data).toEqual([])
  const log = await client<{ type: string }[]>('GET', `/api/v2/events?key=${first.body.data.id}`)
  const types = log.body.data.map(({ type }) => type).filter((type) => type.startsWith('work_item_comment'))
  expect(types).toEqual(['work_item_comment.created', 'work_item_comment.deleted'])
})

test('a comment of another product is not found', async () => {
  const world = await createWorkspace()
  const { client, product } = world
  const P = `/api/initiatives/${product.externalKey}`
  const other = await client<{ externalKey: string }>('POST', '/api/initiatives', { json: { name: 'Other' } })
  await client('POST', `${P}/epics`, { json: { summary: 'Checkout' } })
  const { id } = (await client<Comment>('POST', `${P}/backlog/EP-1/comments`, { json: { text: 'Why?' } })).body.data
  const elsewhere = `/api/initiatives/${other.body.data.externalKey}/backlog/comments/${id}`
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/reply'],
    ['POST', '/restore'],
  ] as const) {
    const json = method === 'PUT' || path === '/reply' ? { json: { text: 'Mine' } } : {}
    const answer = await client(method, `${elsewhere}${path}`, json)
    expect([method, path, answer.status, answer.body.error?.code]).toEqual([method, path, 404, 'comment_not_found'])
  }
  await client('DELETE', `${P}/epics/EP-1`)
  expect((await client('GET', `${P}/backlog/comments/${id}`)).status).toBe(404)
})
