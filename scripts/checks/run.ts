import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { QUIET_ENV, root } from '../wrangler.ts'
import { checkTypes } from './types.ts'

const CHECKS: [name: string, check: () => Promise<boolean>][] = [
  ['types', checkTypes],
  ['types of the scripts', () => succeeds(['tsc', '--noEmit', '--project', 'scripts'])],
  ['lint and format', () => succeeds(['biome', 'check', '--error-on-warnings'])],
]

type Command = [name: string, ...args: string[]]

const succeeds = async (command: Command) => (await run(command)) === 0

export function run([name, ...args]: Command, env: Record<string, string> = {}): Promise<number> {
  const file = path.join(root, 'node_modules', '.bin', name)
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...QUIET_ENV, ...env } })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

export async function check(): Promise<{ passed: number; failed: number }> {
  const counts = { passed: 0, failed: 0 }
  for (const [name, isOk] of CHECKS) {
    const ok = await isOk()
    counts[ok ? 'passed' : 'failed']++
    console.log(`${ok ? '✓' : '✗'} ${name}`)
  }
  return counts
}
