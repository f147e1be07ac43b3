import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { QUIET_ENV, root } from '../wrangler.ts'
import { checkTypes } from './types.ts'

const STATIC_CHECKS: [name: string, check: () => Promise<boolean>][] = [
  ['types', checkTypes],
  ['types of the scripts', () => toolSucceeds(['tsc', '--noEmit', '--project', 'scripts'])],
  ['types of the clients', () => toolSucceeds(['tsc', '--noEmit', '--project', 'clients/cli'])],
  ['types of the pages', () => toolSucceeds(['tsc', '--noEmit', '--project', 'scripts/pages/browser'])],
  ['types of the portal', () => toolSucceeds(['tsc', '--noEmit', '--project', 'scripts/portal/browser'])],
  ['types of the console', () => toolSucceeds(['tsc', '--noEmit', '--project', 'web/console'])],
  ['lint and format', () => toolSucceeds(['biome', 'check', '--error-on-warnings'])],
]

type ToolCommand = [name: string, ...args: string[]]

const toolSucceeds = async (command: ToolCommand) => (await runTool(command)) === 0

export function runTool([name, ...args]: ToolCommand, env: Record<string, string> = {}): Promise<number> {
  const file = path.join(root, 'node_modules', '.bin', name)
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...QUIET_ENV, ...env } })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

export async function runStaticChecks(): Promise<{ passed: number; failed: number }> {
  const counts = { passed: 0, failed: 0 }
  for (const [name, isOk] of STATIC_CHECKS) {
    const ok = await isOk()
    counts[ok ? 'passed' : 'failed']++
    console.log(`${ok ? '✓' : '✗'} ${name}`)
  }
  return counts
}
