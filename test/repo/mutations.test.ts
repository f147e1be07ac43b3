import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { chooseMutations } from '../../scripts/checks/mutations/choose.ts'
import { applyMutation, findMutations } from '../../scripts/checks/mutations/conditions.ts'
import { EQUIVALENT_CONDITIONS } from '../../scripts/checks/mutations/equivalent.ts'
import { chooseTestRuns, findTestFolders } from '../../scripts/checks/mutations/tests.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** `‹a›` stands for an expression of the template. */
const fillIn = (text: string) => text.replaceAll('‹', '$\u007b').replaceAll('›', '}')

/** The SQL that is left when each condition of the statement is taken out in turn. */
function listMutants(statement: string, kind = 'condition') {
  const source = `const it = sql\`${fillIn(statement)}\``
  return findMutations('queries.ts', source)
    .filter((mutation) => mutation.kind === kind)
    .map((mutation) => applyMutation(source, mutation).slice('const it = sql`'.length, -1))
}

test.each([
  ['WHERE a = 1', []],
  ['WHERE a = 1 AND b = 2', ['WHERE b = 2', 'WHERE a = 1']],
  ['WHERE a = 1 AND b = 2 ORDER BY c', ['WHERE b = 2 ORDER BY c', 'WHERE a = 1 ORDER BY c']],
  ['AND a = 1', ['']],
  ['a AND b AND c', ['b AND c', 'a AND c', 'a AND b']],
  ['a OR b AND c', ['a OR c', 'a OR b']],
  ['(a OR b) AND NOT c', ['NOT c', '(a OR b)']],
  ['a BETWEEN 1 AND 2', []],
  ['a BETWEEN 1 AND 2 AND b', ['b', 'a BETWEEN 1 AND 2']],
  ["a = ' AND ' AND b", ['b', "a = ' AND '"]],
  ['CASE WHEN a AND b THEN c ELSE d END', ['CASE WHEN b THEN c ELSE d END', 'CASE WHEN a THEN c ELSE d END']],
  ['a AND CASE b WHEN 1 THEN 2 END', ['CASE b WHEN 1 THEN 2 END', 'a']],
  ['EXISTS (SELECT 1 FROM t WHERE a AND b)', ['EXISTS (SELECT 1 FROM t WHERE b)', 'EXISTS (SELECT 1 FROM t WHERE a)']],
  ['a IN (SELECT b FROM c) AND d', ['d', 'a IN (SELECT b FROM c)']],
  ['ON a AND b LEFT JOIN t ON c', ['ON b LEFT JOIN t ON c', 'ON a LEFT JOIN t ON c']],
  ['WHERE ‹a› AND ‹b› ‹join›', ['WHERE ‹b› ‹join›', 'WHERE ‹a› ‹join›']],
  ['‹a.b› = ‹c› AND NOT ‹d(sql`e`)›', ['NOT ‹d(sql`e`)›', '‹a.b› = ‹c›']],
  ['‹a›.b = 1 AND +‹c›.d IS ‹e›', ['+‹c›.d IS ‹e›', '‹a›.b = 1']],
])('each operand of AND is taken out of: %s', (statement, mutants) => {
  expect(listMutants(statement)).toEqual(mutants.map(fillIn))
})

test('the boundary of each comparison moves, and other signs stay', () => {
  expect(listMutants('a < 1 AND b >= ‹c› OR d <> e', 'boundary')).toEqual(
    ['a <= 1 AND b >= ‹c› OR d <> e', 'a < 1 AND b > ‹c› OR d <> e'].map(fillIn),
  )
  expect(listMutants("a ->> 'b' <> c -> d << 2 >> 1 AND '<' = e", 'boundary')).toEqual([])
})

test('only SQL has conditions, and a condition has its line', () => {
  const source = 'const a = b && c\nconst d = other`x AND y`\nconst e = sql<number>`\n  f\n  AND g`\n'
  expect(findMutations('queries.ts', source).map(({ line, text }) => [line, text])).toEqual([
    [4, 'f'],
    [5, 'g'],
  ])
})

const { all } = chooseMutations({ glob: undefined, count: 0, seed: 1 })

test('a seed repeats its choice', () => {
  const choose = (seed: number) => chooseMutations({ glob: 'src/feedback/**', count: 20, seed }).chosen
  expect(choose(3)).toEqual(choose(3))
  expect(choose(3)).not.toEqual(choose(4))
  expect(all.length).toBeGreaterThan(4_000)
})

test('each equivalent condition is in its file, and has a reason', () => {
  const known = new Set(all.map(({ file, text }) => `${file} ${text}`))
  expect(EQUIVALENT_CONDITIONS.filter(([file, text]) => !known.has(`${file} ${text}`))).toEqual([])
  expect(EQUIVALENT_CONDITIONS.filter(([, , reason]) => reason.split(' ').length < 4)).toEqual([])
})

test('the tests of the folder of a file run first, then the loops over its operations, then its area', () => {
  const runs = chooseTestRuns('src/feedback/votes/queries.ts', root)
  expect(runs.map(({ headings }) => headings)).toEqual([[], ['Feedback'], []])
  expect(runs[0]?.files).toEqual(['test/feedback/votes/votes.test.ts'])
  expect(runs[2]?.files).toContain('test/feedback/merging/merging.test.ts')
  expect(runs[2]?.files).not.toContain('test/feedback/votes/votes.test.ts')
  const exists = (folder: string) => existsSync(path.join(root, folder))
  const withoutTests = all.filter(({ file }) => {
    const [, area] = file.split('/')
    return !findTestFolders(file, exists).length && !exists(`test/${area}`)
  })
  expect(withoutTests).toEqual([])
})
