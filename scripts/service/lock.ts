import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { UserProblem } from '../wrangler.ts'

const LOCK_RETRY_MS = 100
const LOCK_TIMEOUT_MS = 600_000

/** Two commands would apply the same migration. The lock of a process that has ended counts for nothing. */
export async function lockState<T>(
  state: string,
  work: () => Promise<T>,
  { patience = LOCK_TIMEOUT_MS } = {},
): Promise<T> {
  const file = path.join(state, 'setup.lock')
  const end = Date.now() + patience
  mkdirSync(state, { recursive: true })
  while (!tryToLock(file)) {
    if (Date.now() > end) {
      throw new UserProblem(
        `Another command (process ${lockHolderOf(file)}) sets up the local database. Wait for the other command, or delete ${file} if no other command runs.`,
      )
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS))
  }
  const unlock = () => rmSync(file, { force: true })
  process.once('exit', unlock)
  try {
    return await work()
  } finally {
    process.off('exit', unlock)
    unlock()
  }
}

export function tryToLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const holder = lockHolderOf(file)
    if (holder !== undefined && !isProcessRunning(holder)) rmSync(file, { force: true })
    return false
  }
}

/** Undefined if the file is gone, or not written yet. */
function lockHolderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
