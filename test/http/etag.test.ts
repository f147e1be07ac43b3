import { expect, test } from 'vitest'
import { contentEtag, matchesEtag, parseIfMatchVersions, versionEtag } from '../../src/http/etag'

test('an ETag differs for each text and version and is stable for equal ones', () => {
  const letters = Array.from({ length: 50_000 }, (_, n) => `{"data":"${String.fromCodePoint(0x20 + n)}"}`)
  const lengths = Array.from({ length: 2_000 }, (_, n) => `{"data":"${' '.repeat(n)}"}`)
  const places = Array.from({ length: 2_000 }, (_, n) => `{"data":"${'a'.repeat(n)}b${'a'.repeat(2_000 - n)}"}`)
  const texts = [...letters, ...lengths, ...places]
  const distinct = new Set(texts).size
  expect(new Set(texts.map((text) => contentEtag(1, text))).size).toBe(distinct)
  // Each half must be distinct too, otherwise the tag has less than 64 bits.
  for (const [from, to] of [
    [4, 12],
    [12, 20],
  ]) {
    const halves = new Set(texts.map((text) => contentEtag(1, text).slice(from, to)))
    expect(halves.size).toBeGreaterThan(distinct - 10)
  }
  expect(contentEtag(12, 'text')).toMatch(/^"v12-[0-9a-f]{16}"$/)
  expect(contentEtag(12, 'text')).toBe(contentEtag(12, 'text'))
  expect(contentEtag(13, 'text').slice(5)).toBe(contentEtag(12, 'text').slice(5))
})

test('versionsOf reads every form of ETag in If-Match', () => {
  const table: [header: string | undefined, versions: string | null][] = [
    [undefined, null],
    ['*', null],
    [' * ', null],
    [versionEtag(3), '[3]'],
    [contentEtag(3, 'text'), '[3]'],
    [`W/${contentEtag(3, 'text')}`, '[3]'],
    ['"v3", W/"v5-1f" ,"v0"', '[3,5,0]'],
    ['', '[]'],
    ['v3', '[]'],
    ['"v03"', '[]'],
    ['"v-3"', '[]'],
    ['"v3-"', '[]'],
    ['"v3.5"', '[]'],
    ['"v1234567890123456"', '[]'],
    ['w/"v3"', '[]'],
    ['"v3" "v4"', '[]'],
  ]
  for (const [header, versions] of table) expect([header, parseIfMatchVersions(header)]).toEqual([header, versions])
})

test('If-None-Match matches a strong ETag, a weak ETag and *', () => {
  const etag = contentEtag(3, 'text')
  for (const header of [etag, `W/${etag}`, `"x", ${etag}`, ' * '])
    expect([header, matchesEtag(header, etag)]).toEqual([header, true])
  for (const header of [undefined, '', versionEtag(3), `w/${etag}`, etag.slice(1)]) {
    expect([header, matchesEtag(header, etag)]).toEqual([header, false])
  }
})
