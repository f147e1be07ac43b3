import { expect, test } from 'vitest'
import { slugify } from '../../src/text/slug'

test('a slug is ASCII for Latin, Greek and Cyrillic, and keeps letters of other scripts', () => {
  const cases: [string, string][] = [
    ['Größe & Farbe, v2!', 'grosse-and-farbe-v2'],
    ['Łódź ÆØÅ naïve', 'lodz-aeoa-naive'],
    ['Тёмная тема', 'temnaia-tema'],
    ['Ταχύτητα', 'tachytita'],
    ['İstanbul ﬁle', 'istanbul-file'],
    ['夜间模式', '夜间模式'],
    ['한국어 가나', '한국어-가나'],
    ['ガラス', 'ガラス'],
    ['हिन्दी भाषा', 'हिन्दी-भाषा'],
    ['  --__a__--  ', 'a'],
    ['🔥🔥', '1f525-1f525'],
    ['/../?&=%00', 'and-percent-00'],
  ]
  for (const [text, slug] of cases) expect([text, slugify(text)]).toEqual([text, slug])
})

test('names that differ in a sign get different slugs, and a long slug keeps whole characters', () => {
  expect(['C', 'C++', 'C#'].map(slugify)).toEqual(['c', 'c-plus-plus', 'c-sharp'])
  const long = slugify('𠮷'.repeat(500))
  expect([Array.from(long).length, long.isWellFormed()]).toEqual([80, true])
  expect(slugify(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79))
})
