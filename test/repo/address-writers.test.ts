import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ADDRESS_DOORS, USER_UPDATES } from '../workspace/sessions/address-writers'

const root = path.resolve(import.meta.dirname, '../..')
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .sort()
  .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }))

const namesOfRecords = sources.flatMap(({ text }) =>
  Array.from(text.matchAll(/const (\w+) = record\('(?:user|member)'/g), ([, name = '']) => name),
)

/** SQL that names the table, a change of its records, and an import of its records. */
const UPDATE_PATTERN = new RegExp(
  [
    'UPDATE (?:\\$\\{users\\}|"?users\\b)',
    `\\b(?:updateStatement|updateWhere)\\(\\s*(?:${namesOfRecords.join('|')})\\b`,
    'ImportUpsert = \\{\\s*table: users\\b',
  ].join('|'),
  'g',
)

test('each statement that updates people names the doors through which it changes an address', () => {
  const found = Object.fromEntries(
    sources.flatMap(({ name, text }) => {
      const count = text.match(UPDATE_PATTERN)?.length ?? 0
      return count ? [[name, count]] : []
    }),
  )
  const listed = Object.fromEntries(Object.entries(USER_UPDATES).map(([name, statements]) => [name, statements.length]))
  expect(
    found,
    'List the statement in test/workspace/sessions/address-writers.ts. A statement that changes an address needs a door, which the loop of address-change.test.ts opens.',
  ).toEqual(listed)
  expect(new Set(Object.values(USER_UPDATES).flat(2))).toEqual(new Set(ADDRESS_DOORS))
})

test('an insert that finds a row of the address changes no address', () => {
  const changing = sources.filter(({ text }) =>
    Array.from(text.matchAll(/ON CONFLICT \(subscription_id, email\) DO UPDATE SET([\s\S]*?)`/g)).some(([, set = '']) =>
      /\bemail\s*=/.test(set),
    ),
  )
  expect(changing.map(({ name }) => name)).toEqual([])
})
