import { readTool, type ToolCommand } from './tool.ts'
import { type CheckOutcome, checkTypes } from './types.ts'

async function checkWithTool(command: ToolCommand): Promise<CheckOutcome> {
  const { code, output } = await readTool(command)
  return { ok: code === 0, output }
}

const typesOf = (project: string) => () => checkWithTool(['tsc', '--noEmit', '--project', project])

const STATIC_CHECKS: [name: string, check: () => Promise<CheckOutcome>][] = [
  ['types', checkTypes],
  ['types of the scripts', typesOf('scripts')],
  ['types of the clients', typesOf('clients/cli')],
  ['types of the pages', typesOf('scripts/pages/browser')],
  ['types of the portal', typesOf('scripts/portal/browser')],
  ['types of the console', typesOf('web/console')],
  ['lint and format', () => checkWithTool(['biome', 'check', '--error-on-warnings', '--colors=off'])],
]

/** Prints nothing but the outcome of each check, and the output of a check that fails. */
export async function runStaticChecks(): Promise<{ passed: number; failed: number }> {
  const counts = { passed: 0, failed: 0 }
  for (const [name, check] of STATIC_CHECKS) {
    const { ok, output } = await check()
    counts[ok ? 'passed' : 'failed']++
    console.log(ok ? `✓ ${name}` : `${output.trimEnd()}\n✗ ${name}`)
  }
  return counts
}
