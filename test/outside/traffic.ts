// Runs the tour through a recording proxy, and validates the recording against the document. scripts/checks/contract.ts
// starts this file with the service's address and a key; the document is in dist/contract.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import '../../scripts/leash.ts'
import { reservePort } from '../../scripts/service/port.ts'
import { QUIET_ENV, root, runMain, UserProblem } from '../../scripts/wrangler.ts'
import { callSampleOperations } from './client.ts'
import { type Document, type Entry, readDocument, UNTOURED } from './document.ts'
import { listFindings } from './prism.ts'
import { tour } from './tour.ts'

const OUTPUT_FOLDER = path.join(root, 'dist', 'contract')
const DOCUMENT = path.join(OUTPUT_FOLDER, 'openapi.json')
const TRAFFIC = path.join(OUTPUT_FOLDER, 'traffic.har')
const LEASH = path.join(root, 'scripts', 'leash.ts')
const REDOCLY = path.join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')

// Statuses that the tour does not provoke for every operation: conflicts have separate causes, 10 MiB are sent once, a
// truncated log is a year old (test/workspace/retention/archive.test.ts), and faults belong to the suite
// (test/db/faults.test.ts).
const UNPROVOKED_STATUSES = new Set(['405', '408', '409', '410', '413', '500', '503'])
// An operation without input fails only with an unknown parameter, and drift would report the parameter.
const WITHOUT_INPUT = new Set([
  ...[
    'getMe',
    'getSettings',
    'getPortalSettings',
    'getSignInSettings',
    'restoreWorkspace',
    'signOut',
    'leaveChangelog',
    'rotatePortalSecret',
  ],
])
// An operation that only reads stores no response for a retry.
const WITHOUT_STORED_REPLY = new Set(['testIncomingWebhook', 'previewSegmentEmail'])

const env = { ...process.env, ...QUIET_ENV }

/** Starts Redocly's proxy in front of the service. `stop` writes the recording. */
async function startRecording(target: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await reservePort()
  const options = ['--target', target, '--port', String(port), '--har', TRAFFIC]
  const child = spawn(process.execPath, ['--import', LEASH, REDOCLY, 'proxy', ...options], { cwd: root, env })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let written = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      written += chunk
      if (written.includes('Press Ctrl+C')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    ended.then(() => reject(new UserProblem(`The recording proxy ended:\n${written}`)))
  })
  const stop = () => {
    child.kill('SIGINT')
    return ended
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

async function recordTour(direct: string, token: string, document: Document): Promise<string[]> {
  const proxy = await startRecording(direct)
  try {
    // The tour ends over the rate limit.
    const seen = Object.entries(await callSampleOperations(proxy.url, token, 'GW-DEMO'))
    const stuck = await tour({ url: proxy.url, direct, token, document })
    const unseen = seen.filter(([, value]) => value === undefined)
    return [...stuck, ...unseen.map(([name]) => `The sample client did not get ${name}`)]
  } finally {
    await proxy.stop()
  }
}

interface Drift {
  problems: { method: string; path: string; status: number; message: string }[]
}

interface Coverage {
  operations: { operationId: string; missing: { kind: string; status?: string }[] }[]
}

/** Returns Redocly's findings in the recording, and the missing responses. */
async function runDrift(server: string): Promise<string[]> {
  const report = path.join(OUTPUT_FOLDER, 'drift.json')
  const coverage = path.join(OUTPUT_FOLDER, 'coverage.json')
  rmSync(report, { force: true })
  // drift expects the security scheme's header among the parameters.
  const options = ['--api', DOCUMENT, '--server', server, '--ignore-headers', 'x-api-key', '--format', 'json']
  const reports = ['--output', report, '--coverage-output', coverage]
  const args = [REDOCLY, 'drift', TRAFFIC, ...options, ...reports]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' })
  await new Promise((resolve) => child.on('close', resolve))
  if (!existsSync(report)) throw new UserProblem('redocly drift wrote no report.')
  const { problems }: Drift = JSON.parse(readFileSync(report, 'utf8'))
  const { operations }: Coverage = JSON.parse(readFileSync(coverage, 'utf8'))
  const unmet = operations.flatMap(({ operationId, missing }) =>
    (UNTOURED.includes(operationId) ? [] : missing)
      .filter(
        ({ kind, status = '' }) => kind === 'operation' || (kind === 'response' && !UNPROVOKED_STATUSES.has(status)),
      )
      .filter(({ status }) => !(WITHOUT_INPUT.has(operationId) && status === '400'))
      .filter(({ status }) => !(WITHOUT_STORED_REPLY.has(operationId) && status === '422'))
      .map(({ status }) => `Coverage: no request brought about ${operationId} ${status ?? 'at all'}`),
  )
  return [
    ...problems.map(({ method, path, status, message }) => `drift: ${method} ${path} ${status}: ${message}`),
    ...unmet,
  ]
}

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: token } = process.env
  if (!url || !token) throw new UserProblem('Run `npm run check:contract -- --only traffic`.')
  const document = readDocument<Document>(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
  const direct = url.replace('localhost', '127.0.0.1')
  rmSync(TRAFFIC, { force: true })
  const stuck = await recordTour(direct, token, document)
  const recording: { log: { entries: Entry[] } } = JSON.parse(readFileSync(TRAFFIC, 'utf8'))
  const { log } = recording
  const recorded = log.entries.length
  // The document describes whole records, and test/contract checks those with some fields.
  log.entries = log.entries.filter(({ request }) => !new URL(request.url).searchParams.has('fields'))
  writeFileSync(TRAFFIC, JSON.stringify(recording))
  const found = [
    ...stuck,
    ...(await runDrift(direct)),
    ...(await listFindings(document, log.entries)).map((finding) => `Prism: ${finding}`),
    ...log.entries
      .filter(({ response }) => response.status >= 500)
      .map(({ request, response }) => `${request.method} ${request.url} ${response.status}: a fault of the service`),
  ]
  console.log(`${recorded} requests recorded`)
  for (const finding of found.slice(0, 50)) console.log(`  ${finding}`)
  if (found.length > 50) console.log(`  … and ${found.length - 50} more`)
  process.exitCode = found.length ? 1 : 0
})
