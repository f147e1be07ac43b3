import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { origin: 'https://groundwork.test' })
const { outlastChanges, send } = await import('../../../web/console/src/api/connection')

afterAll(() => vi.unstubAllGlobals())

interface Call {
  url: string
  answer: (response: Response) => void
}

function listenToFetch() {
  const calls: Call[] = []
  vi.stubGlobal('fetch', (url: string) => new Promise<Response>((answer) => calls.push({ url, answer })))
  return calls
}

test('what follows the changes waits for each of them, also for one that another one waited for', async () => {
  const calls = listenToFetch()
  let isOver = false
  const first = send('/first', { method: 'PUT' })
  const second = first.then(() => send('/second', { method: 'DELETE' }))
  const over = outlastChanges().then(() => {
    isOver = true
  })
  calls[0]?.answer(new Response())
  await vi.waitFor(() => expect(calls.map(({ url }) => url)).toEqual(['/first', '/second']))
  expect(isOver).toBe(false)
  calls[1]?.answer(new Response())
  await Promise.all([second, over])
  expect(isOver).toBe(true)
})

test('nothing waits for a read, and a change that fails is over', async () => {
  listenToFetch()
  void send('/read')
  await outlastChanges()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('aborted')))
  await expect(send('/change', { method: 'DELETE', signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  await outlastChanges()
})
