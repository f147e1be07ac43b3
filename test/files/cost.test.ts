import { expect, test } from 'vitest'
import { createCsvParser } from '../../src/files/csv'
import { createJsonParser } from '../../src/files/json'
import { createNdjsonParser } from '../../src/files/ndjson'
import { FileProblem } from '../../src/files/problem'
import { parseBatches } from './batches'
import { seededRandom } from './read-file'

test('a file of four times the length takes at most eight times the time', () => {
  const { below, pick } = seededRandom(23)
  const signs = [
    '"',
    '""',
    'x"',
    '","',
    '" ',
    ',',
    ';',
    '\t',
    ' ',
    '\u3000',
    '\n',
    '\r\n',
    'x',
    '{"a":',
    '[',
    '}',
    ']',
    ':',
    '\\"',
  ]
  const motif = () => Array.from({ length: 1 + below(3) }, () => pick(signs)).join('')
  const time = (parser: { push(text: string): unknown[]; end(): unknown[] }, text: string): number => {
    const start = performance.now()
    try {
      for (const _ of parseBatches(parser as ReturnType<typeof createJsonParser>, [text]));
    } catch (cause) {
      if (!(cause instanceof FileProblem)) throw cause
    }
    return performance.now() - start
  }
  const SIZE = 60_000
  for (let round = 0; round < 60; round++) {
    const parts = Array.from({ length: 1 + below(3) }, motif)
    const text = (size: number) =>
      parts
        .map((part) => part.repeat(Math.ceil(size / parts.length / part.length)))
        .join('')
        .slice(0, size)
    for (const [make, before] of [
      [() => createCsvParser(), 'a,b\n'],
      [() => createJsonParser(), '['],
      [() => createNdjsonParser(), '{}\n'],
    ] as const) {
      let [short, long] = [Infinity, Infinity]
      // Other work on the machine makes a measured time longer, never shorter, so the minimum of several attempts
      // counts.
      for (let attempt = 0; attempt < 8 && !(attempt > 1 && (long < 50 || long < short * 8)); attempt++) {
        short = Math.min(short, time(make(), before + text(SIZE)))
        long = Math.min(long, time(make(), before + text(SIZE * 4)))
      }
      expect([parts, before, long < 50 || long < short * 8]).toEqual([parts, before, true])
    }
  }
})
