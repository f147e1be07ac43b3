import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { seededRandom } from '../../../test/random.ts'
import { root, UserProblem } from '../../wrangler.ts'
import { findMutations, type Mutation } from './conditions.ts'
import { EQUIVALENT_CONDITIONS } from './equivalent.ts'

/** SQL stands in these files. The declarations of tables hold no statements. */
const isSqlFile = (file: string) =>
  /(^|\/)(queries|statements|fields)[^/]*\.ts$|\/queries\//.test(file) ||
  (file.startsWith('src/db/') && !file.startsWith('src/db/schema/'))

export const listSqlFiles = (): string[] =>
  globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter(isSqlFile)
    .sort()

const isEquivalent = ({ file, text }: Mutation) =>
  EQUIVALENT_CONDITIONS.some(([place, condition]) => place === file && condition === text)

interface Choice {
  /** Pattern of files; undefined for all. */
  glob: string | undefined
  count: number
  seed: number
}

/** The same seed chooses the same mutations of the same sources. */
export function chooseMutations({ glob, count, seed }: Choice) {
  const named = glob === undefined ? undefined : new Set(globSync(glob, { cwd: root }))
  const files = listSqlFiles().filter((file) => named?.has(file) ?? true)
  if (!files.length) throw new UserProblem(`No file with SQL matches ${glob}.`)
  const all = files.flatMap((file) => findMutations(file, readFileSync(path.join(root, file), 'utf8')))
  const random = seededRandom(seed)
  const waiting = all.filter((mutation) => !isEquivalent(mutation))
  const chosen: Mutation[] = []
  while (chosen.length < count && waiting.length) chosen.push(...waiting.splice(random.below(waiting.length), 1))
  return { all, equivalentCount: all.length - waiting.length - chosen.length, chosen }
}
