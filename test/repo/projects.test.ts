import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ALONE, HOMES } from '../../vitest.config.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('test files that send mail through the simulated queue share no database', () => {
  // Unfinished mailings of other test files would delay their mailings.
  const sending = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    /\b(?:acceptMailing|simulateQueue)\(/.test(readFileSync(path.join(root, file), 'utf8')),
  )
  expect(sending.length).toBeGreaterThan(10)
  const shared = sending.filter((file) => ![...ALONE, ...HOMES].some((pattern) => path.matchesGlob(file, pattern)))
  expect(shared).toEqual([])
})
