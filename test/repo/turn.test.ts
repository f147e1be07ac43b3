import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json'
import {
  ALWAYS,
  type CheckCommand,
  CONTRACT_TOOLS,
  chooseParts,
  hashParts,
  PAGE_PARTS,
  PARTS,
  type PartHashes,
} from '../../scripts/checks/parts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const commands = [...ALWAYS, ...PARTS.flatMap((part) => part.commands)]

const namesOf = (script: string) =>
  commands
    .filter(([name]) => name === script)
    .flatMap(([, ...args]) => args[args.indexOf('--only') + 1]?.split(',') ?? [])
    .sort()

const commitOf = (turn: number) => turn.toString(16).padStart(8, '0') + 'f'.repeat(32)

const FILES = ['clients/cli/src/main.ts', 'src/db/client/batch.ts', 'docs/files.md', 'README.md'].map((file) => ({
  ...{ file, content: 'aa' },
}))
const PRESENT = hashParts(FILES)

const reasonsOf = (turn: number, green?: PartHashes) =>
  Object.fromEntries(
    chooseParts({ commit: commitOf(turn), green, present: PRESENT }).map(({ part, reason }) => [
      part.name,
      reason !== undefined,
    ]),
  )

test('each check of the package runs in CI', () => {
  const scripts = new Set(commands.map(([script]: CheckCommand) => script))
  const checks = Object.keys(packageJson.scripts).filter((name) => name.startsWith('check:') && !scripts.has(name))
  // `check:kills` kills a service for as long as one wants.
  expect(checks).toEqual(['check:kills', 'check:turn'])
})

test('each page and each tool of the contract runs in one place', () => {
  expect(namesOf('check:pages')).toEqual(PAGE_PARTS.flat().sort())
  expect(namesOf('check:contract')).toEqual([...CONTRACT_TOOLS].sort())
})

test('the files of each part exist', () => {
  for (const { name, files } of PARTS) {
    for (const pattern of files) {
      expect({ name, pattern, exists: globSync(pattern, { cwd: root }).length > 0 }).toEqual({
        name,
        pattern,
        exists: true,
      })
    }
  }
})

test('the hash of a commit chooses one part', () => {
  const turns = PARTS.map((_, turn) => Object.entries(reasonsOf(turn, PRESENT)).filter(([, runs]) => runs))
  expect(turns.map((runs) => runs.map(([name]) => name))).toEqual(PARTS.map(({ name }) => [name]))
})

test('a part runs when its files changed, and all parts run without an earlier run', () => {
  const earlier = FILES.map((one) => (one.file.startsWith('clients/') ? { ...one, content: 'bb' } : one))
  expect(reasonsOf(0, hashParts(earlier))).toMatchObject({
    databases: true,
    integrations: true,
    faults: false,
  })
  // A removed file, a new one and one with another name count too.
  for (const others of [FILES.slice(1), [...FILES, { file: 'clients/new.ts', content: 'aa' }]])
    expect(reasonsOf(0, hashParts(others))).toMatchObject({ integrations: true, faults: false })
  expect(reasonsOf(0, hashParts(FILES.toReversed()))).toMatchObject({ integrations: false })
  expect(Object.values(reasonsOf(0))).toEqual(PARTS.map(() => true))
})
