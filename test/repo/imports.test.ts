import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

interface Import {
  from: string
  /** A path like src/db/sql/statement for a module of ours, or the name of a package. */
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

const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).sort()
const imports = files.flatMap(importsOf)

const AREAS = ['workspace', 'backlog', 'feedback', 'people', 'discovery']

/** The folder of a file: `db`, or `people/segments` in an area. */
const folderOf = (file: string) =>
  file
    .split('/')
    .slice(1, AREAS.includes(file.split('/')[1] ?? '') ? 3 : 2)
    .join('/')

// Roles of files with SQL: queries, and the fields and statements for use by further folders.
const SQL_ROLES = ['queries', 'fields', 'statements']

/** A file in a folder named `queries` has the role `queries`. */
const roleOf = (file: string) => {
  const names = file.replace(/\.ts$/, '').split('/')
  return names.find((name) => ['queries', 'operations'].includes(name)) ?? names.at(-1) ?? ''
}

const formatImports = (found: Import[]) => found.map(({ from, line }) => `${from}: ${line}`)

test('the source files and imports are found', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(imports.length).toBeGreaterThan(60)
})

test('SQL appears only in queries.ts, fields.ts, statements.ts and src/db', () => {
  const wrong = imports.filter(
    ({ from, to }) => to.startsWith('drizzle-orm') && !SQL_ROLES.includes(roleOf(from)) && folderOf(from) !== 'db',
  )
  expect(formatImports(wrong), 'Move the SQL into queries, fields or statements.').toEqual([])
})

test('tables are named only in queries.ts, fields.ts, statements.ts and src/db', () => {
  const wrong = imports.filter(
    ({ from, to, line }) =>
      to.startsWith('src/db/schema/') &&
      !line.startsWith('import type') &&
      !SQL_ROLES.includes(roleOf(from)) &&
      folderOf(from) !== 'db',
  )
  expect(formatImports(wrong), 'Move the use of the table into queries, fields or statements.').toEqual([])
})

test('imports run one way: operations → queries → db, http → db → text, files → text', () => {
  const wrong = imports.filter(({ from, to, line }) => {
    if (!to.startsWith('src/')) return false
    if (folderOf(from) === 'text') return folderOf(to) !== 'text'
    if (folderOf(from) === 'files') return !['files', 'text'].includes(folderOf(to))
    if (folderOf(from) === 'db') return !/^src\/(db|text|env|resources)\b/.test(to)
    if (folderOf(from) === 'http')
      return !/^src\/(http|db|text|env|homes|messages|resources)\b/.test(to) && !line.startsWith('import type')
    if (roleOf(from) === 'statements')
      return roleOf(to) === 'operations' || (roleOf(to) === 'queries' && folderOf(from) !== folderOf(to))
    if (roleOf(from) === 'queries') return roleOf(to) === 'operations'
    if (roleOf(from) === 'schema') return ['operations', 'queries'].includes(roleOf(to))
    return roleOf(to) === 'operations' && !/^src\/((operations|app)|\w+\/routes)\.ts$/.test(from)
  })
  expect(
    formatImports(wrong),
    'Move the shared code down: into statements, fields or a rules file, or into src/db or src/text.',
  ).toEqual([])
})

// Folders of src/db, each of which imports the folders before.
const DB_FOLDERS = ['schema', 'sql', 'client', 'records']

test('the folders of src/db import one way: records → client → sql → schema', () => {
  const rankOf = (file: string) => DB_FOLDERS.indexOf(/^src\/db\/(\w+)\//.exec(file)?.[1] ?? '')
  const files = imports.filter(({ from }) => from.startsWith('src/db/'))
  const outside = files.filter(({ from }) => rankOf(from) < 0)
  expect(formatImports(outside), `Move the file into one of ${DB_FOLDERS.join(', ')}.`).toEqual([])
  const wrong = files.filter(({ from, to }) => to.startsWith('src/db/') && rankOf(to) > rankOf(from))
  expect(formatImports(wrong), 'Move the imported code to an earlier folder.').toEqual([])
})

test('a resource imports no queries of another resource, except of work items', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      /^src\/.*\/queries(\/|$)/.test(to) && folderOf(from) !== folderOf(to) && folderOf(to) !== 'backlog/work-items',
  )
  expect(formatImports(wrong), 'Put the shared SQL into statements.ts or fields.ts of the other resource.').toEqual([])
})

test('no imports form a cycle', () => {
  const targets = new Map(files.map((file): [string, string[]] => [file.replace(/x$/, ''), []]))
  for (const { from, to, line } of imports) {
    if (!line.startsWith('import type') && targets.has(`${to}.ts`)) targets.get(from)?.push(`${to}.ts`)
  }
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, way: string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    else if (!done.has(file)) for (const next of targets.get(file) ?? []) walk(next, [...way, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  expect([...targets.values()].flat().length).toBeGreaterThan(60)
  expect(circles, 'Move the code that both files use into a third file.').toEqual([])
})

test('no two folders import each other; src/link-targets.ts holds links that lead both ways', () => {
  const arrows = new Set(
    imports
      .filter(({ to, line }) => to.startsWith('src/') && !line.startsWith('import type'))
      .map(({ from, to }) => [from, to].map((file) => path.dirname(file).split('/').slice(1, 3).join('/')))
      .filter(([from, to]) => from && to && !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`))
      .map(([from, to]) => `${from} ${to}`),
  )
  const mutual = [...arrows].filter((arrow) => arrows.has(arrow.split(' ').reverse().join(' ')))
  expect(arrows.size).toBeGreaterThan(60)
  expect(mutual, 'Move the code that both folders use into one of them or below both.').toEqual([])
})

test('an area reads no binding of the database or the queue', () => {
  const wrong = files.filter(
    (file) =>
      AREAS.includes(file.split('/')[1] ?? '') &&
      /\benv\.(DB|QUEUE)\b/.test(readFileSync(path.join(root, file), 'utf8')),
  )
  expect(wrong, 'Receive the store, the outlet and the clock as parameters.').toEqual([])
})

test('zod is imported as a namespace, so that unused parts stay out of the Worker', () => {
  const wrong = imports.filter(({ to, line }) => to === 'zod' && !/^import (type )?\* as z from/.test(line))
  expect(formatImports(wrong), "Write `import * as z from 'zod'`.").toEqual([])
})

test('a literal text or number in a statement is written with `inline`', () => {
  const raw = /sql\.raw\(\s*(?:`'(?:[^`']|'')*'`|"'[^"']*'"|'\d+'),?\s*\)/g
  const wrong = files.flatMap((file) =>
    file === 'src/db/sql/statement.ts'
      ? []
      : Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(raw), ([text]) => `${file}: ${text}`),
  )
  expect(wrong, 'Write the literal with `inline`.').toEqual([])
})

test('no index.ts re-exports other modules', () => {
  const wrong = files.filter((file) => roleOf(file) === 'index' && file !== 'src/index.ts')
  expect(wrong, 'Remove the index.ts, and import each module by its own path.').toEqual([])
})

const MAX_LINES = 300

test(`no file of src has more than ${MAX_LINES} lines`, () => {
  const long = files
    .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
  expect(long, 'Split the file by what a thing is').toEqual([])
})
