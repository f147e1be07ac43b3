import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../../clients/typescript/src/client'
import { follow } from '../../clients/typescript/src/follow'
import { readClock } from '../clock'

const PAUSE = 4

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Answers each request with the next page, and remembers when it was asked and after which event. */
function answerWith(pages: readonly (readonly { id: number }[])[]) {
  const asked: { after: number; at: number }[] = []
  const request = async (_name: string, { after }: { after: number }) => {
    asked.push({ after, at: readClock() })
    return { data: pages[asked.length - 1] ?? [], headers: new Headers() }
  }
  return { asked, client: { request } as unknown as Client }
}

test('a pause lets events gather after a page with events alone', async () => {
  const { asked, client } = answerWith([[], [{ id: 3 }, { id: 4 }], [{ id: 9 }]])
  const seen: number[] = []
  const readAll = async () => {
    for await (const { id } of follow(client, { after: 2, pause: PAUSE })) {
      seen.push(id)
      if (id === 9) break
    }
  }
  await Promise.all([readAll(), vi.runAllTimersAsync()])
  expect(seen).toEqual([3, 4, 9])
  expect(asked.map(({ after }) => after)).toEqual([2, 2, 4])
  const [first, second, third] = asked.map(({ at }) => at) as [number, number, number]
  expect([second - first, third - second]).toEqual([0, PAUSE * 1_000])
})

test('a pause ends with the signal', async () => {
  const { asked, client } = answerWith([[{ id: 1 }]])
  const seen: number[] = []
  const stop = new AbortController()
  const readAll = async () => {
    for await (const { id } of follow(client, { after: 0, pause: 3_600, signal: stop.signal })) seen.push(id)
  }
  const reading = readAll()
  await vi.advanceTimersByTimeAsync(10)
  expect(seen).toEqual([1])
  stop.abort()
  await reading
  expect(asked).toHaveLength(1)
})
