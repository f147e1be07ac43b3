// Runs examples/mirror with the packed client against the service: it is killed in the middle, and ends with equal records.
// scripts/checks/contract.ts starts this file with the service's address and a key.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { createClient, type MirrorChange, mirror } from '../../../clients/typescript/src/index.ts'
import '../../../scripts/leash.ts'
import { root, runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { findDifferences } from '../../mirror/compare.ts'
import { MemoryStore } from '../../mirror/memory-store.ts'
import { installClient } from '../packed.ts'

const product_external_key = 'GW-DEMO'
const waitMilliseconds = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

function installExample(): string {
  const project = installClient()
  const example = path.join(root, 'examples', 'mirror')
  for (const file of readdirSync(example).filter((name) => name.endsWith('.ts')))
    cpSync(path.join(example, file), path.join(project, file))
  return project
}

function startMirror(project: string, url: string, key: string): ChildProcess {
  const env = { ...process.env, GROUNDWORK_URL: url, GROUNDWORK_KEY: key, NODE_OPTIONS: '' }
  return spawn(process.execPath, ['mirror.ts', 'copy.sqlite'], {
    cwd: project,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function query(project: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path.join(project, 'copy.sqlite'), { readOnly: true, timeout: 10_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

async function waitForPosition(project: string, position: number): Promise<void> {
  for (let n = 0; n < 300; n++) {
    try {
      if (Number(query(project, 'SELECT event_id FROM position')[0]?.event_id ?? 0) >= position) return
    } catch {
      // The program has not created the file yet.
    }
    await waitMilliseconds(200)
  }
  throw new UserProblem(`The mirror did not reach event ${position} within a minute.`)
}

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: key } = process.env
  if (!url || !key) throw new UserProblem('Run `npm run check:contract -- --only mirror`.')
  const client = createClient({ url, key })
  const readPosition = async () => (await client.listEvents({ order: 'newest', limit: 1 }))[0]?.id ?? 0
  const change = async (name: string) => {
    for (let n = 0; n < 5; n++) {
      const { externalKey } = await client.createEpic({ product_external_key, body: { summary: `${name} ${n}` } })
      const at = { product_external_key, epic_external_key: externalKey }
      if (n % 2) await client.modifyEpic({ ...at, body: { progress: 'in-progress' } })
      if (n === 3) await client.removeEpic(at)
    }
  }

  const project = installExample()
  const first = startMirror(project, url, key)
  await change('Before the kill')
  await waitForPosition(project, 1)
  await change('Around the kill')
  first.kill('SIGKILL')
  await change('Without a mirror')
  const second = startMirror(project, url, key)
  await change('After the kill')
  await waitForPosition(project, await readPosition())
  second.kill('SIGTERM')

  const rows = query(project, 'SELECT id, resource, event_id, data FROM visible')
  const copies = rows.map(({ id, resource, event_id, data }): [string, MirrorChange] => {
    const record = {
      id: String(id),
      resource: String(resource),
      eventId: Number(event_id),
      data: JSON.parse(String(data)),
    }
    return [record.id, { ...record, isRemoved: false, parents: [] }]
  })
  const listed = new MemoryStore()
  const stop = new AbortController()
  const reading = mirror(client, listed, { signal: stop.signal })
  while (listed.readPosition() === undefined) await waitMilliseconds(100)
  stop.abort()
  await reading
  const differences = findDifferences(new Map(copies), listed.listVisible())
  for (const difference of differences.slice(0, 20)) console.log(`  ${difference}`)
  console.log(`${copies.length} records mirrored`)
  process.exitCode = differences.length || copies.length < 20 ? 1 : 0
  rmSync(project, { recursive: true, force: true })
})
