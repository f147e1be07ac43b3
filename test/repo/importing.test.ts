import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { backlogPresets } from '../../src/backlog/imports/presets'
import { feedbackPresets } from '../../src/feedback/ideas/imports/presets'
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
