import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../vitest.config'
import { listNodes, parseSource, type SyntaxNode } from './syntax'

const root = path.resolve(import.meta.dirname, '../..')
const FILES = '{test,scripts/checks}/**/*.{ts,tsx,mjs}'

/** What makes a test fail although the code is right. */
type Risk = 'clock' | 'sleep' | 'chance' | 'port' | 'limit'

const REMEDIES: Readonly<Record<Risk, string>> = {
  clock: 'Read the time with readClock (test/clock.ts), stop it with freezeTime (test/fake-clock.ts), or count steps.',
  sleep:
    'Wait for the condition with pollUntil (test/poll.ts), or move a clock of createFakeClock (test/fake-clock.ts).',
  chance: 'Use seededRandom (test/random.ts), or createUniqueId (test/unique.ts) for a name.',
  port: 'Let the system choose with port 0, or call reservePort (scripts/service/port.ts).',
  limit: `Leave the limit out. A test may take ${limits.testTimeout / 1_000} seconds, because a limit finds hangs.`,
}

/** Files, or folders that end in a slash, with the reason why nothing fails on a slow machine or in another month. */
const EXCEPTIONS: readonly [place: string, risks: readonly Risk[], reason: string][] = [
  ['test/clock.ts', ['clock'], 'Gives all tests the time, which an option of the suite shifts.'],
  ['test/fake-clock.ts', ['clock', 'sleep'], 'Replaces the clock and the timers of a test.'],
  ['test/poll.ts', ['sleep'], 'Pauses between two looks at a condition, without a time in which it must hold.'],
  ['test/random.ts', ['chance'], 'Draws the seed that a check prints and takes as an option.'],
  ['test/unique.ts', ['chance'], 'Gives names that only have to differ.'],
  ['test/bench/', ['clock', 'sleep', 'chance', 'port'], 'Measures times, and no check reads them.'],
  ['test/contract/cost.ts', ['clock', 'sleep'], 'Compares times of two lengths, by the fastest of several rounds.'],
  ['test/contract/cost-texts.test.ts', ['clock'], 'Makes sure that the clock of the comparisons advances.'],
  ['test/contract/costs.ts', ['clock'], 'Measures the time of the database for the check of costs.'],
  ['test/files/cost.test.ts', ['clock'], 'Compares times of two lengths, by the fastest of several rounds.'],
  ['test/backlog/bulk/cost.test.ts', ['clock'], 'Compares times with a bare insert, by the fastest of several rounds.'],
  ['test/homes/object-home.ts', ['clock'], 'Reports the duration of a statement as D1 does.'],
  ['test/homes/spies.ts', ['sleep'], 'Makes a database answer late, and a later answer changes no result.'],
  ['test/repo/two-homes.test.ts', ['sleep'], 'Runs the cron of a real service again and again until a move ends.'],
  ['test/node/', ['sleep'], 'Gives tests on Node the waits of the runtime and of its database.'],
  ['test/outside/client/tour.ts', ['clock'], 'Runs outside the repository, from packed copies.'],
  ['test/outside/tour.ts', ['sleep'], 'Repeats a request that the limit of a minute has refused.'],
  ['test/outside/mirror/example.ts', ['sleep'], 'Pauses between two looks at the position of a copy.'],
  ['scripts/checks/kills.ts', ['sleep'], 'Kills a service after a pause of a seeded length.'],
  ['scripts/checks/mirror.ts', ['clock'], 'Prints how long the check took.'],
  [
    'scripts/checks/move.ts',
    ['clock', 'sleep'],
    'Kills a service after a pause of a seeded length, and reports times.',
  ],
  ['scripts/checks/mutations/', ['clock', 'sleep'], 'Prints times, and ends a run of tests that hangs.'],
  ['scripts/checks/turn.ts', ['clock'], 'Prints how long each check took.'],
  ['scripts/checks/test.ts', ['clock'], 'Computes the time for the option of the suite.'],
]

const CLOCKS = new Set(['Date.now', 'performance.now'])
const SLEEPS = new Set(['scheduler.wait', 'setTimeout', 'setInterval', 'setImmediate'])
const CHANCES = new Set(['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'])
const RISKS_OF_IMPORTS: Readonly<Record<string, Risk>> = {
  'timers/promises': 'sleep',
  'node:timers/promises': 'sleep',
  'node:crypto': 'chance',
}
const RANDOM_IMPORTS = new Set([
  'randomBytes',
  'randomInt',
  'randomUUID',
  'getRandomValues',
  'setTimeout',
  'setInterval',
])
const PORT_METHODS = new Set(['listen'])
const FIXED_PORT = /(?:localhost|127\.0\.0\.1):\d{2,5}\b/
const TESTS = /^(?:test|it|beforeAll|beforeEach|afterAll|afterEach)(?:\.\w+)?$/

interface Use {
  risk: Risk
  text: string
}

const nameOf = ({ object, property, name }: SyntaxNode): string =>
  object && property ? `${nameOf(object)}.${property.name ?? ''}` : typeof name === 'string' ? name : ''

/** Tests may take as long as the suite lets them. */
function isShortLimit({ callee, arguments: values = [] }: SyntaxNode): boolean {
  const name = callee && nameOf(callee.callee ?? callee)
  const last = values.at(-1)
  return TESTS.test(name ?? '') && typeof last?.value === 'number' && last.value < limits.testTimeout
}

function findRisk(node: SyntaxNode, text: string): Risk | undefined {
  const { type, callee, arguments: values = [] } = node
  const name = nameOf(callee ?? node).replace(/^globalThis\./, '')
  if (type === 'MemberExpression' && CLOCKS.has(name)) return 'clock'
  if (type === 'MemberExpression' && CHANCES.has(name)) return 'chance'
  if (type === 'NewExpression' && name === 'Date' && !values.length) return 'clock'
  if (type === 'CallExpression' && SLEEPS.has(name)) return 'sleep'
  if (type === 'CallExpression' && PORT_METHODS.has(callee?.property?.name ?? '') && isFixed(values[0])) return 'port'
  if (type === 'CallExpression' && isShortLimit(node)) return 'limit'
  if (type === 'ImportDeclaration') {
    const risk = RISKS_OF_IMPORTS[String(node.source?.value)]
    const isRandom = (node.specifiers ?? []).some(({ imported }) => RANDOM_IMPORTS.has(imported?.name ?? ''))
    return isRandom ? risk : undefined
  }
  if ((type === 'Literal' || type === 'TemplateElement') && isDialed(node, text)) return 'port'
  return undefined
}

const isFixed = (port: SyntaxNode | undefined) => typeof port?.value === 'number' && port.value !== 0

/** An address that a program of the check itself serves; the texts of documents and settings may name any. */
const isDialed = ({ start, end }: SyntaxNode, text: string) =>
  FIXED_PORT.test(text.slice(start, end)) && /(?:fetch|goto|connect)\($/.test(text.slice(0, start).trimEnd())

function findUses(name: string, text: string): Use[] {
  return [...listNodes(parseSource(name, text))].flatMap((node) => {
    const risk = findRisk(node, text)
    return risk ? [{ risk, text: text.slice(node.start, node.end).split('\n', 1)[0] ?? '' }] : []
  })
}

const isCoveredBy = (place: string, file: string) => (place.endsWith('/') ? file.startsWith(place) : file === place)
const usesByFile = new Map(
  globSync(FILES, { cwd: root })
    .filter((file) => !file.includes('node_modules') && !file.endsWith('steady.test.ts'))
    .map((file) => [file, findUses(file, readFileSync(path.join(root, file), 'utf8'))]),
)

test('no test depends on the clock, the load, chance or a free port', () => {
  const found = [...usesByFile].flatMap(([file, uses]) => {
    const allowed = EXCEPTIONS.flatMap(([place, risks]) => (isCoveredBy(place, file) ? risks : []))
    return uses
      .filter(({ risk }) => !allowed.includes(risk))
      .map(({ risk, text }) => `${file}: ${text}. ${REMEDIES[risk]}`)
  })
  expect(found).toEqual([])
})

test('each exception is needed', () => {
  const unused = EXCEPTIONS.filter(
    ([place]) => ![...usesByFile].some(([file, uses]) => isCoveredBy(place, file) && uses.length),
  )
  expect(unused).toEqual([])
})

test.each<[Risk, string]>([
  ['clock', 'const now = Date.now()'],
  ['clock', 'const read = globalThis.Date.now'],
  ['clock', 'const day = new Date()'],
  ['clock', 'const from = performance.now()'],
  ['sleep', 'await scheduler.wait(200)'],
  ['sleep', 'await new Promise((resolve) => setTimeout(resolve, 5))'],
  ['sleep', "import { setTimeout as wait } from 'node:timers/promises'"],
  ['sleep', 'const timer = globalThis.setInterval(look, 5)'],
  ['chance', 'const n = Math.random()'],
  ['chance', 'const id = crypto.randomUUID()'],
  ['chance', "import { randomBytes } from 'node:crypto'"],
  ['port', "server.listen(8080, 'localhost')"],
  ['port', "await fetch('http://localhost:8787/health')"],
  ['limit', "test('ends', () => {}, 5_000)"],
  ['limit', "test.each([1])('ends', () => {}, 5_000)"],
])('a use of the %s is found: %s', (risk, text) => {
  expect(findUses('a.ts', text).map((use) => use.risk)).toEqual([risk])
})

test.each([
  'const day = new Date(0)',
  'const now = readClock()',
  "server.listen(0, '127.0.0.1')",
  "const url = 'http://localhost:8787'",
  "import { createHash } from 'node:crypto'",
  "test('counts', () => {}, 300_000)",
  'it.queue.splice(0)',
])('other code is no risk: %s', (text) => {
  expect(findUses('a.ts', text)).toEqual([])
})
