import { createHash } from 'node:crypto'
import path from 'node:path'

/**
 * Parts of `check:pages`. Each list has a service of its own. The guides and the samples name records of a new workspace, the samples remove
 * records, and the console creates records.
 */
export const PAGE_PARTS: readonly (readonly string[])[] = [
  ['story'],
  ['guides', 'browser', 'portal', 'samples'],
  ['console', 'ideas-inbox', 'kpis', 'story-map', 'versions', 'segments'],
  ['viewer', 'conflicts', 'zones', 'faults'],
  ['changelog', 'documents', 'personas', 'experiments'],
  ['settings', 'settings-portal', 'settings-teams', 'settings-mail', 'settings-sign-in', 'settings-data'],
  ['webhooks', 'incoming', 'events', 'removed'],
  ['mailings'],
  ['newcomer', 'empty'],
]

export const CONTRACT_TOOLS = [
  ...(['redocly', 'spectral', 'types', 'client', 'cli', 'mirror', 'examples', 'mcp', 'generators'] as const),
  ...(['traffic', 'fuzz'] as const),
] as const

export type ContractTool = (typeof CONTRACT_TOOLS)[number]

/** A command of `package.json` with its arguments. */
export type CheckCommand = readonly [script: string, ...args: string[]]

export interface Part {
  name: string
  commands: readonly CheckCommand[]
  /** Changes of these files need the part, whoever's turn it is. */
  files: readonly string[]
}

/** The same random requests in each run, so that a landing is decided by its change. The commands alone take new ones. */
const SEED = ['--', '--seed', '106979117']

/** What each change needs, beside `npm test`. */
export const ALWAYS: readonly CheckCommand[] = [
  ['check:contract', ...SEED, '--only', 'redocly,spectral,types,client,fuzz'],
  ['check:pages', '--', '--only', 'browser,portal,newcomer'],
]

/** Checks that take minutes. The hash of the commit chooses one part. */
export const PARTS: readonly Part[] = [
  {
    name: 'databases',
    commands: [['check:homes'], ['check:object']],
    files: ['src/db/client/**', 'src/home*.ts', 'src/workspace/moves/**', 'test/homes/**', 'test/node/**'],
  },
  {
    name: 'console',
    commands: [
      [
        'check:pages',
        '--',
        '--only',
        'story,console,ideas-inbox,kpis,story-map,versions,segments,viewer,conflicts,zones',
      ],
    ],
    files: ['web/console/**', 'scripts/console/**', 'test/outside/pages/**'],
  },
  {
    name: 'settings',
    commands: [
      ['check:pages', '--', '--only', 'settings,settings-portal,settings-teams,settings-mail,settings-sign-in'],
      ['check:pages', '--', '--only', 'settings-data,webhooks,incoming,events,removed,mailings,empty,faults'],
      ['check:pages', '--', '--only', 'changelog,documents,personas,experiments'],
    ],
    files: ['web/console/**', 'scripts/console/**', 'test/outside/pages/**'],
  },
  {
    name: 'integrations',
    commands: [
      ['check:contract', ...SEED, '--only', 'cli,mirror,examples,mcp,generators,traffic'],
      ['check:pages', '--', '--only', 'guides,samples'],
      ['check:tour'],
    ],
    files: ['clients/**', 'examples/**', 'src/mcp/**', 'docs/**', 'openapi.json', 'test/outside/*'],
  },
  {
    name: 'faults',
    commands: [['check:mirror', ...SEED], ['check:move'], ['check:sync']],
    files: [
      'src/workspace/{events,moves,webhooks}/**',
      'src/workspace/incoming-webhooks/**',
      'scripts/checks/{mirror,move,sync,kill*}.ts',
    ],
  },
  {
    name: 'releases',
    commands: [['check:commands'], ['check:upgrade'], ['check:smoke'], ['check:costs']],
    files: [
      'migrations/**',
      'wrangler.toml',
      'package-lock.json',
      'src/db/sql/**',
      'scripts/{deploy,new,operating,service}/**',
      'scripts/wrangler.ts',
      'test/repo/{key,new,restore,secrets,smoke,smoke-faults,two-homes}.test.ts',
    ],
  },
]

interface Choice {
  /** Hash of the commit. */
  commit: string
  /** Hashes of the parts when all parts were green the last time; undefined if that is unknown. */
  green: PartHashes | undefined
  present: PartHashes
}

/** By name of the part. */
export type PartHashes = Readonly<Record<string, string>>

/** A file as `git ls-files -s` lists it: the hash of its content, and its path. */
export interface ListedFile {
  content: string
  file: string
}

/** Hashes of the files of each part. They need no history, which a clone may lack. */
export const hashParts = (files: readonly ListedFile[], parts: readonly Part[] = PARTS): PartHashes =>
  Object.fromEntries(
    parts.map((part) => {
      const own = files.filter(({ file }) => part.files.some((pattern) => path.matchesGlob(file, pattern)))
      const lines = own.map(({ content, file }) => `${content} ${file}\n`).sort()
      return [part.name, createHash('sha256').update(lines.join('')).digest('hex')]
    }),
  )

export interface ChosenPart {
  part: Part
  /** Undefined if the part is left out. */
  reason: string | undefined
}

const HASH_DIGITS = 8

export function chooseParts({ commit, green, present }: Choice, parts: readonly Part[] = PARTS): ChosenPart[] {
  const turn = Number.parseInt(commit.slice(0, HASH_DIGITS), 16) % parts.length
  return parts.map((part, n) => {
    if (!green) return { part, reason: 'no earlier run is known' }
    if (n === turn) return { part, reason: 'its turn' }
    return { part, reason: green[part.name] === present[part.name] ? undefined : 'its files changed' }
  })
}
