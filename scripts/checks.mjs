// Types, lint and format.
import { spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { quiet, root } from './wrangler.mjs'

const CHECKS = [
  ['types', ['tsc', '--noEmit']],
  ['types of test/repo', ['tsc', '--noEmit', '--project', 'test/repo']],
  ['lint and format', ['biome', 'check', '--error-on-warnings']],
]

/** Runs a program of node_modules/.bin to its end; gives its exit code. */
export function run([name, ...args], env = {}) {
  const file = path.join(root, 'node_modules', '.bin', name)
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...quiet, ...env } })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

/** Runs the checks; counts those that passed and failed. */
export async function check() {
  const counts = { passed: 0, failed: 0 }
  for (const [name, command] of CHECKS) {
    const ok = (await run(command)) === 0
    counts[ok ? 'passed' : 'failed']++
    console.log(`${ok ? '✓' : '✗'} ${name}`)
  }
  return counts
}
