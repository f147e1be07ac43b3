import { env } from 'cloudflare:workers'
import { afterAll, afterEach } from 'vitest'
import './makers'
import { scansOfGrowingTables } from './d1'
import { waitLongerForDatabase } from './deadlines'
import { openHomesOfRun } from './homes'
import { migrateDatabase } from './migrate'
import { shiftClock } from './shifted-clock'
import { shiftUploads } from './shifted-uploads'
import { mapStacks } from './source-maps'

shiftUploads(shiftClock())
mapStacks()
waitLongerForDatabase()

// A worker runs its test files in sequence on one database, so each test creates its own workspace.
await migrateDatabase(env.DB)
await openHomesOfRun()

// A faulty statement of the service answers 500 and is logged. The test fails with the statement's file and line.
const faults: unknown[] = []
const { error: log } = console
console.error = (...values: unknown[]) => {
  const [line] = values as { error?: unknown }[]
  if (/\bStatementFault:/.test(String(line?.error))) faults.push(new Error(String(line?.error)))
  log(...values)
}
afterEach(() => {
  const [fault] = faults.splice(0)
  if (fault) throw fault
})
afterAll(() => {
  console.error = log
})

const SCAN_REMEDY =
  'Add an index that begins with the tenant in a migration, or declare the filter `unindexed`. `npm run sql -- <operationId>` prints the statements of an operation with their plans.'

// Every statement of a test file must find its rows through an index.
afterAll(async () => {
  const scans = await scansOfGrowingTables(env.DB)
  if (scans.length) throw new Error(`These statements scan a table that grows. ${SCAN_REMEDY}\n\n${scans.join('\n\n')}`)
})
