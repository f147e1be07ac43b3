import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { UserProblem } from '../wrangler.ts'

function listDescendantProcesses(of: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const]
      } catch {
        return []
      }
    })
  const children = (parent: number): number[] =>
    parents.flatMap(([pid, above]) => (above === parent ? [pid, ...children(pid)] : []))
  return children(of)
}

/** Kills the processes below a process, and leaves the process itself. */
export function killProcessTree(of: number): void {
  for (const pid of listDescendantProcesses(of)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended meanwhile.
    }
  }
}

export function openDatabaseFile(state: string): DatabaseSync {
  const folder = path.join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  const file = readdirSync(folder).find((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
  if (!file) throw new UserProblem(`${folder} has no database.`)
  return new DatabaseSync(path.join(folder, file), { timeout: 10_000 })
}

/** Lets the claims of killed workers expire, to save a wait of two minutes. */
export function expireImportClaims(state: string): void {
  const stored = openDatabaseFile(state)
  stored.exec("UPDATE imports SET next_attempt_at = 0 WHERE status IN ('pending', 'running', 'undoing')")
  stored.close()
}
