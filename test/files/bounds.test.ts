import { expect, test } from 'vitest'
import { FileProblem } from '../../src/files/problem'
import { readFileRows } from '../../src/files/rows'
import { readWholeFile } from './read-file'

/** The highest number of bytes consumed ahead of the emitted rows. */
async function measureUnreadBytes(before: string, row: string, between: string, rows: number): Promise<number> {
  const encoder = new TextEncoder()
  const each = encoder.encode(row + between).length
  const block = encoder.encode(`${row}${between}`.repeat(1000))
  let given = 0
  async function* chunks() {
    yield encoder.encode(before)
    for (let n = 0; n < rows; n += 1000) {
      given += block.length
      yield block
    }
  }
  let taken = 0
  let most = 0
  try {
    for await (const batch of readFileRows(chunks())) {
      most = Math.max(most, given - taken)
      taken += batch.rows.length * each
    }
  } catch (cause) {
    if (!(cause instanceof FileProblem)) throw cause
  }
  expect(taken).toBeGreaterThan(rows * each * 0.9)
  return most
}

test('a reader holds one chunk of a file of any length', async () => {
  const files: [string, string, string][] = [
    ['name,note\n', 'Ada,"1, 2"', '\n'],
    ['name,note\n', 'Ada,x', '\n'],
    ['[', '{"name":"Ada","note":[1,2]}', ','],
    ['{"records":[', '{"name":"Ada","note":[1,2]}', ','],
    ['{}\n', '{"name":"Ada","note":[1,2]}', '\n'],
  ]
  for (const file of files) {
    const [short, long] = [await measureUnreadBytes(...file, 100_000), await measureUnreadBytes(...file, 400_000)]
    expect([file, short > 200_000, long < 900_000, long < short * 1.5]).toEqual([file, true, true, true])
  }
})

test('a CSV with crafted quotes and spaces is refused, and a similar harmless CSV is read', async () => {
  const stray = (quotes: number, space: string, run: number) =>
    `note,n\n"${'x"'.repeat(quotes)}${space.repeat(run)},1\nok,2\n`
  for (const file of [
    stray(60_000, ' ', 130_000),
    stray(60_000, '\t', 130_000),
    stray(40_000, '\u3000', 40_000),
    // A quote after a delimiter does not open a field inside a quoted field.
    `note,n\n"${',"x'.repeat(40_000)}${' '.repeat(130_000)}\nok,2\n`,
    `note,n\n"${'\n"x'.repeat(40_000)}${' '.repeat(130_000)}\nok,2\n`,
    `note,n\n${'1,2\n'.repeat(100_000)}"${'x"'.repeat(60_000)}${' '.repeat(130_000)},1\n`,
  ]) {
    expect((await readWholeFile(file)).problem).toMatch(/^crafted: From row \d+ on, the file has too many quotes/)
  }
  const quoted = `note,n\n${'"a ""b"" c","1"\n'.repeat(5000)}"${' '.repeat(100_000)}",3\n`
  expect((await readWholeFile(quoted)).rows).toHaveLength(5001)
  expect((await readWholeFile(stray(100, ' ', 100_000))).rows).toHaveLength(2)
})
