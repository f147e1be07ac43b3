import { expect, test } from 'vitest'
import type { Client } from '../../clients/typescript/src/client'
import { follow } from '../../clients/typescript/src/follow'

const PAUSE = 0.2

/** Answers each request with the next page, and remembers when it was asked and after which event. */
function answerWith(pages: readonly (readonly { id: number }[])[]) {
  const asked: { after: number; at: number }[] = []
  const request = async (_name: string, { after }: { after: number }) => {
    asked.push({ after, at: performance.now() })
    return { data: pages[asked.length - 1] ?? [], headers: new Headers() }
  }
  return { asked, client: { request } as unknown as Client }
}

test('a pause lets events gather after a page with events alone', async () => {
  const { asked, client } = answerWith([[], [{ id: 3 }, { id: 4 }], [{ id: 9 }]])
  const seen: number[] = []
  for await (const { id } of follow(client, { after: 2, pause: PAUSE })) {
    seen.push(id)
    if (id === 9) break
  }
  expect(seen).toEqual([3, 4, 9])
  expect(asked.map(({ after }) => after)).toEqual([2, 2, 4])
  const [first, second, third] = asked.map(({ at }) => at) as [number, number, number]
  expect(third - second).toBeGreaterThanOrEqual(PAUSE * 1_000 - 5)
  expect(second - first).toBeLessThan(PAUSE * 1_000)
})

test('a pause ends with the signal', async () => {
  const { asked, client } = answerWith([[{ id: 1 }]])
  const stop = new AbortController()
  for await (const _event of follow(client, { after: 0, pause: 3_600, signal: stop.signal }))
    setTimeout(() => stop.abort(), 10)
  expect(asked).toHaveLength(1)
})
