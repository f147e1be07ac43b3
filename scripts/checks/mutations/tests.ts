// Chooses the tests that can notice a mutation, and runs them in the copy of the tree.
import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers'
import { parseSync } from 'vite'
import { QUIET_ENV } from '../../wrangler.ts'
import { isNode, listNodes, type SyntaxNode } from './conditions.ts'

/** Vitest projects of the tests, without repetitions of the same tests on another database. */
const PROJECTS = ['node', 'homes']
/** Loops over the operations of some headings that tell what a statement reads and writes. */
const LOOPS = [
  ...['unique', 'lifecycle', 'parents', 'roles', 'conditional', 'idempotency', 'events', 'nulls', 'filter-values'],
  ...['members', 'counts', 'scopes', 'cascades', 'keys', 'links', 'changes', 'removed-lists', 'lists'],
  'area-visibility',
].map((name) => `test/contract/${name}.test.ts`)
/** Headings whose operations use each kind of statement, for the SQL that all resources share. */
const SHARED_HEADINGS = ['Epics', 'User stories', 'Feedback', 'Segments', 'Members', 'KPIs']

/** Folders whose tests stand elsewhere. */
const TEST_FOLDERS: Record<string, string[]> = {
  'src/backlog/items': ['test/backlog/work-items'],
  'src/db': ['test/db', 'test/homes', 'test/http'],
  'src/feedback/all-votes': ['test/feedback/votes'],
  'src/feedback/following': ['test/people/digests'],
  'src/feedback/subscriptions': ['test/people/digests', 'test/feedback/merging'],
  'src/people/erased-addresses': ['test/people/erasure'],
  'src/people/notices': ['test/people/digests'],
  'src/people/preferences': ['test/people/digests'],
  'src/people/segment-users': ['test/people/segments'],
  'src/portal': ['test/portal'],
  'src/workspace/moves': ['test/homes'],
}
/** Tests of other folders that use the SQL that all resources share. */
const SHARED_SQL_TESTS = ['feedback/merging', 'people/members', 'workspace/keys', 'workspace/events', 'portal']

const listTests = (folder: string, root: string) =>
  globSync(`${folder}/**/*.test.ts`, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'))

const folderOf = (file: string) => path.posix.dirname(file)

/** The test folder that mirrors the folder of a source file, or else a folder above, but not a whole area. */
export function findTestFolders(file: string, exists: (folder: string) => boolean): string[] {
  for (let folder = folderOf(file); folder !== 'src'; folder = folderOf(folder)) {
    const isArea = folderOf(folder) === 'src'
    const mirrored = TEST_FOLDERS[folder] ?? (isArea ? [] : [folder.replace(/^src/, 'test')])
    if (mirrored.some(exists)) return mirrored.filter(exists)
  }
  return []
}

const parse = (file: string): SyntaxNode => parseSync(file, readFileSync(file, 'utf8')).program as SyntaxNode

/** Members of the objects in a file: names with the nodes of their values. */
function* listMembers(node: SyntaxNode): Generator<[name: string, value: SyntaxNode]> {
  for (const { type, key, value } of listNodes(node))
    if (type === 'Property' && key?.name !== undefined && isNode(value)) yield [key.name, value]
}

const listTexts = (node: SyntaxNode, member: string): string[] =>
  Array.from(listMembers(node)).flatMap(([name, { value }]) =>
    name === member && typeof value === 'string' ? [value] : [],
  )

/** Headings of the API reference by resource. */
const readHeadings = (root: string): Map<string, string> =>
  new Map(
    Array.from(listMembers(parse(path.join(root, 'src/resources.ts')))).flatMap(([name, value]) => {
      const [heading] = listTexts(value, 'tag')
      return heading === undefined ? [] : [[name, heading] as const]
    }),
  )

/** Headings of the operations beside a source file, or in the folders above. */
function listHeadings(file: string, root: string): string[] {
  if (file.startsWith('src/db/')) return SHARED_HEADINGS
  const headings = readHeadings(root)
  for (let folder = folderOf(file); folder !== 'src'; folder = folderOf(folder)) {
    const sources = globSync(`${folder}/**/operations*.ts`, { cwd: root }).map((name) => path.join(root, name))
    const resources = sources.flatMap((name) => listTexts(parse(name), 'of'))
    const found = new Set(resources.flatMap((resource) => headings.get(resource) ?? []))
    if (found.size) return [...found]
  }
  return []
}

export interface TestRun {
  files: string[]
  headings: string[]
}

/** Test runs in their order; a later run is for mutations that the runs before it did not notice. */
export function chooseTestRuns(file: string, root: string): TestRun[] {
  const exists = (folder: string) => existsSync(path.join(root, folder))
  const own = findTestFolders(file, exists).flatMap((folder) => listTests(folder, root))
  const [, area = ''] = file.split('/')
  const around = area === 'db' ? SHARED_SQL_TESTS.map((folder) => `test/${folder}`) : [`test/${area}`]
  const further = around.flatMap((folder) => listTests(folder, root)).filter((name) => !own.includes(name))
  const runs = [
    { files: own, headings: [] },
    { files: LOOPS, headings: listHeadings(file, root) },
    { files: further, headings: [] },
  ]
  return runs.filter(({ files, headings }) => files.length && (files !== LOOPS || headings.length))
}

// A run on a quiet machine that lasts longer hangs.
const START_SECONDS = 180
const SECONDS_PER_FILE = 30

/** Seconds after which a run hangs, on a machine as busy as now. */
function findTimeLimit({ files }: TestRun): number {
  const [load = 0] = os.loadavg()
  return Math.round((START_SECONDS + files.length * SECONDS_PER_FILE) * Math.max(1, load / os.availableParallelism()))
}

export type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; file: string; test: string; message: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'broken'; message: string }

interface Report {
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

function readReport(file: string, root: string, output: string): Outcome {
  if (!existsSync(file)) return { kind: 'broken', message: output.slice(-2_000) }
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    const place = { file: path.relative(root, name), message: failed?.failureMessages.join('\n') ?? message }
    if (failed) return { kind: 'failed', test: failed.fullName, ...place }
    if (message) return { kind: 'failed', test: '(the file)', ...place }
  }
  return testResults.length ? { kind: 'passed' } : { kind: 'broken', message: output.slice(-2_000) }
}

/** Runs test files until the first failure. This is the only place that knows how tests run. */
export async function runTests(root: string, run: TestRun): Promise<Outcome> {
  const { files, headings } = run
  const seconds = findTimeLimit(run)
  const report = path.join(root, 'dist', 'mutations.json')
  rmSync(report, { force: true })
  const vitest = path.join(root, 'node_modules', '.bin', 'vitest')
  const args = [
    ...['run', '--bail=1', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`],
    ...PROJECTS.map((project) => `--project=${project}`),
    ...files,
  ]
  const env = { ...process.env, ...QUIET_ENV, CONTRACT_HEADINGS: headings.join(',') }
  const child = spawn(vitest, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const endGroup = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // The group has ended.
    }
  }
  process.on('exit', endGroup)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endGroup()
  }, seconds * 1_000)
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  process.off('exit', endGroup)
  return isLate ? { kind: 'timeout', seconds } : readReport(report, root, output)
}
