// npm run check:contract: checks the running service against the OpenAPI document with third-party tools.
//   --seed N       repeats the requests of an earlier run
//   --only a,b     some of: redocly, spectral, types, client, cli, mirror, examples, mcp, generators, traffic, fuzz
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { drawSeed } from '../../test/random.ts'
import { reservePort } from '../service/port.ts'
import { startService } from '../service/service.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { installOutsideTools, OUTSIDE_FOLDER } from './outside-tools.ts'
import { CONTRACT_TOOLS, type ContractTool } from './parts.ts'
import { runTool } from './tool.ts'

const OUTPUT_FOLDER = path.join(root, 'dist', 'contract')
const OPENAPI_FILE = path.join(OUTPUT_FOLDER, 'openapi.json')
const GENERATED_TYPES_FILE = path.join(OUTPUT_FOLDER, 'openapi.d.ts')
const outsideBinary = (name: string) => path.join('..', '..', 'test', 'outside', 'node_modules', '.bin', name)

await runMain(async () => {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } })
  const seed = Number(values.seed ?? drawSeed())
  if (!Number.isInteger(seed)) throw new UserProblem(`--seed must be a whole number, not "${values.seed}".`)
  await installOutsideTools()
  mkdirSync(OUTPUT_FOLDER, { recursive: true })
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-contract-'))
  const service = await startService({ port: await reservePort(), env: { ...process.env, GROUNDWORK_STATE: state } })
  const ok = async (...command: Parameters<typeof runTool>) => (await runTool(...command)) === 0
  const checks: Record<ContractTool, () => Promise<boolean>> = {
    // The skipped rule does not know our precedence of literals over parameters (test/repo/openapi.test.ts).
    redocly: () =>
      ok(['redocly', 'lint', OPENAPI_FILE, '--extends=recommended-strict', '--skip-rule=no-ambiguous-paths']),
    spectral: () => {
      const ruleset = path.join(OUTSIDE_FOLDER, 'spectral.yaml')
      return ok([outsideBinary('spectral'), 'lint', OPENAPI_FILE, '--ruleset', ruleset, '--fail-severity=hint'])
    },
    types: async () =>
      (await ok([
        outsideBinary('openapi-typescript'),
        OPENAPI_FILE,
        '--output',
        GENERATED_TYPES_FILE,
        '--default-non-nullable=false',
      ])) && ok(['tsc', '--noEmit', '--project', 'test/outside']),
    client: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'client', 'run.ts')], {
        SERVICE_URL: service.url,
        SERVICE_TOKEN: service.token,
      }),
    cli: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'cli', 'run.ts')], {
        SERVICE_URL: service.url,
        SERVICE_TOKEN: service.token,
      }),
    mirror: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'mirror', 'run.ts')], {
        SERVICE_URL: service.url,
        SERVICE_TOKEN: service.token,
      }),
    examples: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'examples', 'run.ts')], {
        SERVICE_URL: service.url,
        SERVICE_TOKEN: service.token,
      }),
    mcp: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'mcp', 'run.ts')], {
        SERVICE_URL: service.url,
        SERVICE_TOKEN: service.token,
      }),
    generators: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'generators', 'run.ts'), OPENAPI_FILE], {
        SERVICE_URL: service.url,
        SERVICE_TOKEN: service.token,
      }),
    traffic: () =>
      ok(['node', path.join(OUTSIDE_FOLDER, 'traffic.ts')], { SERVICE_URL: service.url, SERVICE_TOKEN: service.token }),
    fuzz: () =>
      ok(['vitest', 'run', '--config', 'test/outside/vitest.config.ts', '--reporter=dot'], { SEED: String(seed) }),
  }
  const asked = values.only?.split(',')
  const unknown = asked?.find((name) => !Object.hasOwn(checks, name))
  if (unknown !== undefined)
    throw new UserProblem(`--only does not know "${unknown}". Choose from: ${CONTRACT_TOOLS.join(', ')}.`)
  const chosen = CONTRACT_TOOLS.filter((name) => asked?.includes(name) ?? true)
  let failed = 0
  try {
    writeFileSync(OPENAPI_FILE, JSON.stringify(await (await fetch(`${service.url}/openapi.json`)).json(), null, 2))
    for (const name of chosen) {
      const passed = await checks[name]()
      if (!passed) failed++
      console.log(`${passed ? '✓' : '✗'} ${name}${name === 'fuzz' ? ` (repeat with --seed ${seed})` : ''}`)
    }
  } finally {
    await service.stop()
    rmSync(state, { recursive: true, force: true })
  }
  console.log(`\n${chosen.length - failed} passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
})
