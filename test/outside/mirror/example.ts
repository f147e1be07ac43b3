import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { type Client, type MirrorChange, mirror } from '../../../clients/typescript/src/index.ts'
import { root, UserProblem } from '../../../scripts/wrangler.ts'
import { MemoryStore } from '../../mirror/memory-store.ts'
import { installClient } from '../packed.ts'

export const waitMilliseconds = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export function installExample(): string {
  const project = installClient()
  const example = path.join(root, 'examples', 'mirror')
  for (const file of readdirSync(example).filter((name) => name.endsWith('.ts')))
    cpSync(path.join(example, file), path.join(project, file))
  return project
}

/** The example writes `copy.sqlite` in its folder. */
export function startMirror(
  project: string,
  url: string,
  key: string,
  stderr: 'inherit' | 'ignore' = 'inherit',
): ChildProcess {
  const env = { ...process.env, GROUNDWORK_URL: url, GROUNDWORK_KEY: key, NODE_OPTIONS: '' }
  return spawn(process.execPath, ['mirror.ts', 'copy.sqlite'], {
    cwd: project,
    env,
    stdio: ['ignore', 'ignore', stderr],
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

export async function waitForPosition(project: string, position: number): Promise<void> {
  for (let n = 0; n < 600; n++) {
    try {
      if (Number(query(project, 'SELECT event_id FROM position')[0]?.event_id ?? 0) >= position) return
    } catch {
      // The program has not created the file yet.
    }
    await waitMilliseconds(200)
  }
  throw new UserProblem(`The mirror did not reach event ${position} within two minutes.`)
}

/** The records that the example shows. */
export function readCopies(project: string): Map<string, MirrorChange> {
  const rows = query(project, 'SELECT id, resource, event_id, data FROM visible')
  return new Map(
    rows.map(({ id, resource, event_id, data }) => {
      const change = { resource: String(resource), eventId: Number(event_id), data: JSON.parse(String(data)) }
      return [String(id), { id: String(id), ...change, isRemoved: false, parents: [] }]
    }),
  )
}

/** The records of all lists, read now. */
export async function readLists(client: Client): Promise<Map<string, MirrorChange>> {
  const listed = new MemoryStore()
  const stop = new AbortController()
  const reading = mirror(client, listed, { signal: stop.signal })
  while (listed.readPosition() === undefined) await Promise.race([reading, waitMilliseconds(100)])
  stop.abort()
  await reading
  return listed.listVisible()
}
