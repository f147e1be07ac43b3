import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AnyOperation } from '../../src/http/operation'
import { operations } from '../../src/operations'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('src/*/**/operations.ts', { cwd: root }).sort()

/** What the rooms export that is an operation, with the names it is exported by. */
async function exported(): Promise<[name: string, AnyOperation][]> {
  const modules = await Promise.all(
    files.map((file) => import(path.join(root, file)) as Promise<Record<string, unknown>>),
  )
  return modules
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, AnyOperation] => isOperation(entry[1]))
}

function isOperation(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'handle' in value && 'path' in value
}

test('an operation is exported under its id, and stands in the table once', async () => {
  const found = await exported()
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter(([name, { id }]) => name !== id).map(([name, { id }]) => `${name}: ${id}`)).toEqual([])
  const ids = operations.map(({ id }) => id)
  expect(ids.toSorted()).toEqual(found.map(([, { id }]) => id).toSorted())
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('no two operations answer the same requests', () => {
  const routes = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(routes.filter((route, at) => routes.indexOf(route) !== at)).toEqual([])
})
