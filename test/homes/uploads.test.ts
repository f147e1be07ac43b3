import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { send } from '../client'
import { readClock } from '../clock'
import { createWorkspace, type Workspace } from '../factories'
import { EU_NUMBER, openTwoHomes, TWO_HOMES } from '../homes'
import { openBoard, signIn } from '../portal/visitors'
import { fileForm } from '../world'
import { finishMove, requestMove } from './moving'

const bindings = await openTwoHomes()
const HOMES = { env: { HOMES: TWO_HOMES } }

/** Bindings with a bucket that takes a file only after the workspace has moved. */
function moveBeforePut(subscriptionId: number) {
  const FILES = new Proxy(env.FILES, {
    get: (target, property) => {
      const value = Reflect.get(target, property)
      if (property !== 'put') return typeof value === 'function' ? value.bind(target) : value
      return async (...given: Parameters<R2Bucket['put']>) => {
        const now = readClock()
        await requestMove(env.DB, subscriptionId, EU_NUMBER, now)
        await finishMove(bindings, { now })
        return target.put(...given)
      }
    },
  })
  return { env: { HOMES: TWO_HOMES, FILES } }
}

const countObjects = async (files: R2Bucket, { subscriptionId }: Workspace) =>
  (await files.list({ prefix: `${subscriptionId}/` })).objects.length

test('a file that arrives while its workspace moves is refused, and stored by a repetition', async () => {
  const space = await createWorkspace()
  const path = `/api/initiatives/${space.product.externalKey}/assets`
  const upload = () => ({ raw: fileForm('file', 'hello', 'a.txt') })
  const refused = await space.client('POST', path, { ...upload(), ...moveBeforePut(space.subscriptionId) })
  expect([refused.status, refused.body.error?.code]).toEqual([503, 'temporarily_unavailable'])
  expect(await countObjects(env.FILES, space)).toBe(0)
  const stored = await space.client<{ path: string }>('POST', path, { ...upload(), ...HOMES })
  expect(stored.status).toBe(201)
  expect(await env.FILES_EU.head(stored.body.data.path)).not.toBeNull()
})

test('a file in the body of an idea follows its workspace', async () => {
  const board = await openBoard()
  const json = {
    title: 'Dark mode',
    product: board.product.externalKey,
    files: [{ name: 'a', content: btoa('hello') }],
  }
  const path = `/api/v2/portal/${board.slug}/ideas`
  const saved = await board.client('POST', path, { json, ...moveBeforePut(board.subscriptionId) })
  expect([saved.status, saved.body.message]).toEqual([201, 'Idea saved'])
  expect([await countObjects(env.FILES, board), await countObjects(env.FILES_EU, board)]).toEqual([0, 1])
})

test('a page refuses the files of an idea while the workspace moves, and leaves none behind', async () => {
  const board = await openBoard()
  const { headers } = await signIn(board, 'Ada')
  const sendForm = (options: { env: Partial<Cloudflare.Env> }) => {
    const raw = new FormData()
    const fields = { title: 'With files', text: 'See.', product: board.product.externalKey, compared: 'yes' }
    for (const [name, value] of Object.entries(fields)) raw.set(name, value)
    raw.append('files', new File(['hello'], 'a.txt'))
    const ownPage = { 'sec-fetch-site': 'same-origin', origin: 'https://groundwork.test' }
    return send('POST', `${board.path}/submit`, { raw, headers: { ...ownPage, ...headers }, ...options })
  }
  expect((await sendForm(moveBeforePut(board.subscriptionId))).response.status).toBe(503)
  expect(await countObjects(env.FILES, board)).toBe(0)
  expect((await sendForm(HOMES)).response.status).toBe(303)
  expect(await countObjects(env.FILES_EU, board)).toBe(1)
})
