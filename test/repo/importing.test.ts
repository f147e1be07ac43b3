import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { backlogPresets } from '../../src/backlog/imports/presets'
import { feedbackPresets } from '../../src/feedback/imports/presets'
import { peoplePresets } from '../../src/people/imports/presets'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/importing.md'), 'utf8')

test.each([
  ['Work items', backlogPresets],
  ['Ideas', feedbackPresets],
  ['People', peoplePresets],
])('%s: the page on importing says how to get the file of each product', (heading, presets) => {
  const [section] = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ')
  const missing = presets.filter(({ name, isOwnExport }) => !isOwnExport && !section?.includes(`(\`${name}\`)`))
  expect(
    missing.map(({ name }) => name),
    'Add a row to docs/importing.md.',
  ).toEqual([])
})

test.each([
  ['work items', backlogPresets],
  ['ideas', feedbackPresets],
  ['people', peoplePresets],
])('%s: the page on importing names the columns that an import leaves out', (records, presets) => {
  const rows = page.split('\n').filter((line) => line.startsWith('|'))
  const missing = presets.flatMap(({ name, isOwnExport, columns }) => {
    const row = rows.find((line) => line.includes(`(\`${name}\`), ${records} |`)) ?? ''
    const leftOut = Object.entries(columns).flatMap(([column, target]) => (target === null ? [column] : []))
    return isOwnExport ? [] : leftOut.filter((column) => !row.includes(`\`${column}\``)).map((column) => [name, column])
  })
  expect(missing, 'Add the columns to "Columns that are left out" in docs/importing.md.').toEqual([])
})
