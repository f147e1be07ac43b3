import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { QueryObserver } from '@tanstack/query-core'
import { afterEach, expect, test } from 'vitest'
import { queries, showStored } from '../../../web/console/src/api/queries'
import { pollUntil } from '../../poll'
import { listNodes, parseSource } from '../syntax'

const root = path.resolve(import.meta.dirname, '../../..')
const KEY = ['webhook', 1]

afterEach(() => queries.clear())

/** A page that shows the record. Each read answers when the test says so. */
function showRecord(first: string) {
  const reads: ((record: string) => void)[] = []
  queries.setQueryData(KEY, first)
  const queryFn = () => new Promise<string>((resolve) => reads.push(resolve))
  const observer = new QueryObserver(queries, { queryKey: KEY, queryFn, staleTime: Infinity })
  observer.subscribe(() => {})
  return { reads, shown: () => observer.getCurrentResult().data }
}

test('a read that began before a change does not bring the former record back', async () => {
  const { reads, shown } = showRecord('former')
  void queries.invalidateQueries()
  showStored(KEY, 'changed')
  reads[0]?.('former')
  await Promise.resolve()
  expect([shown(), reads.length]).toEqual(['changed', 2])
  reads[1]?.('changed by somebody else')
  await pollUntil('The second read', () => shown() === 'changed by somebody else')
})

test('a read of a page that was left does not bring the former record back', async () => {
  const read = Promise.withResolvers<string>()
  queries.setQueryData(KEY, 'former')
  const ended = queries.fetchQuery({ queryKey: KEY, queryFn: () => read.promise, staleTime: 0 })
  showStored(KEY, 'changed')
  read.resolve('former')
  await ended
  expect(queries.getQueryData(KEY)).toBe('changed')
})

test('a stored record is not read again when no read is running', () => {
  const { reads, shown } = showRecord('former')
  showStored(KEY, 'changed')
  expect([shown(), reads.length]).toEqual(['changed', 0])
})

test('the console shows stored records with showStored', () => {
  const direct = globSync('web/console/src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => file !== 'web/console/src/api/queries.ts')
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      if (!text.includes('setQueryData')) return []
      return [...listNodes(parseSource(file, text))].flatMap(({ callee, arguments: values }) => {
        const isSet = callee?.property?.name === 'setQueryData' && values?.[1]?.type !== 'ArrowFunctionExpression'
        return isSet ? [`${file}: ${text.slice(callee.start, values?.at(-1)?.end)}`] : []
      })
    })
  expect(direct, 'Call showStored, so that a running read does not bring the former record back.').toEqual([])
})
