// npm run check -- mutations: takes conditions out of SQL, runs the tests, and prints what no test noticed.
//   --seed N       repeats the choice of an earlier run
//   --count N      number of mutations
//   --file GLOB    only conditions of these files
//   --list         prints the conditions instead of testing them
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import '../../leash.ts'
import { root } from '../../wrangler.ts'
import { chooseMutations } from './choose.ts'
import { applyMutation, type Mutation } from './conditions.ts'
import { chooseTestRuns, type Outcome, runTests, type TestRun } from './tests.ts'

/** A run takes about a quarter of an hour on two quiet cores. */
const COUNT = 30
const NOTICED_SHARE = 0.9

const COPIES = path.join(root, '.wrangler')
const COPY_PREFIX = 'mutations-'

function removeDeadCopies(): void {
  for (const name of existsSync(COPIES) ? readdirSync(COPIES) : []) {
    if (!name.startsWith(COPY_PREFIX)) continue
    try {
      process.kill(Number(name.slice(COPY_PREFIX.length)), 0)
    } catch {
      rmSync(path.join(COPIES, name), { recursive: true, force: true })
    }
  }
}

/** The working tree never changes, also when the process is killed. */
function copyTree(): string {
  removeDeadCopies()
  const copy = path.join(COPIES, `${COPY_PREFIX}${process.pid}`)
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const name of new Set(names.toString().split('\0'))) {
    if (!name || !existsSync(path.join(root, name))) continue
    cpSync(path.join(root, name), path.join(copy, name))
  }
  mkdirSync(path.join(copy, 'dist'), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

/** A statement that the database cannot read, which says nothing about the tests. */
const isNoSql = (message: string) =>
  /syntax error|no such column|no such table|incomplete input|misuse of|wrong number of arguments/.test(message)

type Verdict =
  | { kind: 'noticed'; by: string; proof: TestRun | undefined }
  | { kind: 'missed' }
  | { kind: 'invalid'; message: string }

async function judge(mutation: Mutation, copy: string): Promise<Verdict> {
  const place = path.join(copy, mutation.file)
  const source = readFileSync(place, 'utf8')
  writeFileSync(place, applyMutation(source, mutation))
  try {
    for (const run of chooseTestRuns(mutation.file, copy)) {
      const verdict = toVerdict(await runTests(copy, run), run)
      if (verdict) return verdict
    }
    return { kind: 'missed' }
  } finally {
    writeFileSync(place, source)
  }
}

/** A mutation that hangs is noticed too. */
function toVerdict(outcome: Outcome, { headings }: TestRun): Verdict | undefined {
  if (outcome.kind === 'passed') return undefined
  if (outcome.kind === 'timeout') return { kind: 'noticed', by: `no end within ${outcome.seconds} s`, proof: undefined }
  if (outcome.kind === 'broken' || isNoSql(outcome.message)) return { kind: 'invalid', message: outcome.message }
  const { file, test } = outcome
  return { kind: 'noticed', by: `${file}: ${test}`, proof: { files: [file], headings } }
}

const describe = ({ file, line, kind, text, replacement }: Mutation) =>
  `${file}:${line} ${kind === 'boundary' ? `(${replacement}) ` : ''}${text.length > 160 ? `${text.slice(0, 160)} …` : text}`

const nameOf = ({ files, headings }: TestRun) => [...files, ...headings].join()

/** Tests that fail without a mutation too notice nothing. */
async function findFailingRuns(copy: string, verdicts: readonly Verdict[]): Promise<Set<string>> {
  const failing = new Set<string>()
  const proofs = verdicts.flatMap((verdict) => (verdict.kind === 'noticed' && verdict.proof ? [verdict.proof] : []))
  for (const [name, [run]] of Map.groupBy(proofs, nameOf))
    if (run && (await runTests(copy, run)).kind !== 'passed') failing.add(name)
  return failing
}

export async function runMutations(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      count: { type: 'string', default: String(COUNT) },
      file: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const { all, equivalentCount, chosen } = chooseMutations({ glob: values.file, count: Number(values.count), seed })
  if (values.list) {
    for (const mutation of all) console.log(describe(mutation))
    return true
  }
  console.log(`seed ${seed}: ${chosen.length} of ${all.length} conditions`)
  const copy = copyTree()
  const verdicts: [Mutation, Verdict][] = []
  for (const mutation of chosen) {
    const start = Date.now()
    const verdict = await judge(mutation, copy)
    verdicts.push([mutation, verdict])
    const sign = { noticed: '✓', missed: '✗', invalid: '–' }[verdict.kind]
    const detail = verdict.kind === 'noticed' ? verdict.by : verdict.kind
    console.log(`${sign} ${describe(mutation)}\n    ${detail} (${Math.round((Date.now() - start) / 1000)} s)`)
  }
  const failing = await findFailingRuns(
    copy,
    verdicts.map(([, verdict]) => verdict),
  )
  return summarize(verdicts, { failing, equivalentCount, seed })
}

function summarize(
  verdicts: readonly [Mutation, Verdict][],
  { failing, equivalentCount, seed }: { failing: ReadonlySet<string>; equivalentCount: number; seed: number },
): boolean {
  const isUnsure = (verdict: Verdict) =>
    verdict.kind === 'noticed' && verdict.proof !== undefined && failing.has(nameOf(verdict.proof))
  const list = (kind: Verdict['kind']) => verdicts.filter(([, verdict]) => verdict.kind === kind && !isUnsure(verdict))
  const [noticed, missed, invalid] = [list('noticed'), list('missed'), list('invalid')]
  const unsureCount = verdicts.length - noticed.length - missed.length - invalid.length
  for (const name of failing) console.log(`${name} fails without a mutation too.`)
  for (const [mutation] of missed) console.log(`missed: ${describe(mutation)}`)
  const share = noticed.length / Math.max(1, noticed.length + missed.length)
  console.log(
    `\nseed ${seed}: ${noticed.length} noticed, ${missed.length} missed: ${Math.round(share * 100)} %. ` +
      `Left out: ${invalid.length} without valid SQL, ${unsureCount} that only failing tests noticed; ${equivalentCount} in equivalent.ts.`,
  )
  return share >= NOTICED_SHARE
}
