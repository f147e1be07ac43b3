import { expect, test } from 'vitest'
import { isValidJsonText } from '../../src/text/json'

const any = () => true

test.each([
  ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, true],
  ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, false],
  ['unclosed levels', '['.repeat(1_000_000), false],
  ['200,000 values', `[${'1,'.repeat(199_998)}1]`, true],
  ['more values', `[${'1,'.repeat(200_000)}1]`, false],
  ['half of a surrogate pair', '["\\ud800"]', false],
  ['no JSON', '[1,]', false],
])('JSON in a text has the limits of a body: %s', (_, text, fits) => {
  expect(isValidJsonText(text, any)).toBe(fits)
})
