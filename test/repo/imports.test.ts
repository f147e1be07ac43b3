import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

interface Import {
  from: string
  /** A path like src/db/client for our own, or a package. */
  to: string
  line: string
}

function importsOf(from: string): Import[] {
  const text = readFileSync(path.join(root, from), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|\bimport\('([^']+)'\)/gm)].map((match) => {
    const target = match[1] ?? match[2] ?? ''
    const to = target.startsWith('.') ? path.join(path.dirname(from), target) : target
    return { from, to, line: match[0].replace(/\s+/g, ' ') }
  })
}

const files = globSync('src/**/*.ts', { cwd: root }).sort()
const imports = files.flatMap(importsOf)

const folder = (file: string) => file.split('/')[1] ?? ''
const role = (file: string) => path.basename(file, '.ts')
const told = (found: Import[]) => found.map(({ from, line }) => `${from}: ${line}`)

test('there is something to check', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(imports.length).toBeGreaterThan(60)
})

test('SQL stands in queries.ts and src/db alone', () => {
  const wrong = imports.filter(
    ({ from, to }) => to.startsWith('drizzle-orm') && role(from) !== 'queries' && folder(from) !== 'db',
  )
  expect(told(wrong)).toEqual([])
})

test('tables are named by queries.ts and src/db alone', () => {
  const wrong = imports.filter(
    ({ from, to, line }) =>
      to.startsWith('src/db/schema/') &&
      !line.startsWith('import type') &&
      role(from) !== 'queries' &&
      folder(from) !== 'db',
  )
  expect(told(wrong)).toEqual([])
})

test('imports run one way: operations → queries → db', () => {
  const wrong = imports.filter(({ from, to, line }) => {
    if (folder(from) === 'db') return to.startsWith('src/') && !/^src\/(db|http|text|env)\b/.test(to)
    if (folder(from) === 'http') return ['operations', 'queries'].includes(role(to)) && !line.startsWith('import type')
    if (role(from) === 'queries') return role(to) === 'operations'
    if (role(from) === 'schema') return ['operations', 'queries'].includes(role(to))
    return role(to) === 'operations' && !['src/operations.ts', 'src/app.ts'].includes(from)
  })
  expect(told(wrong)).toEqual([])
})

test("a resource leaves another's queries alone, except those of products and what work items share", () => {
  const shared = ['products', 'work-items']
  const wrong = imports.filter(
    ({ from, to }) => /^src\/.*\/queries$/.test(to) && folder(from) !== folder(to) && !shared.includes(folder(to)),
  )
  expect(told(wrong)).toEqual([])
})

test('zod is imported whole, so that what is not used stays out of the Worker', () => {
  const wrong = imports.filter(({ to, line }) => to === 'zod' && !/^import (type )?\* as z from/.test(line))
  expect(told(wrong)).toEqual([])
})

test('there are no barrels', () => {
  const wrong = files.filter((file) => role(file) === 'index' && file !== 'src/index.ts')
  expect(wrong).toEqual([])
})
