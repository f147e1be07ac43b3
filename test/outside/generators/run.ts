// Generates clients from the OpenAPI document with generators of others, compiles them under strict TypeScript, and runs a tour
// on each. scripts/checks/contract.ts starts this file with the document, the service's address and a key.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'
import { QUIET_ENV, root, runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { TOURS } from './tours.ts'

const outside = path.join(root, 'test', 'outside')
const target = path.join(root, 'dist', 'contract', 'generated')

function run(command: string, ...args: readonly string[]): void {
  const file = path.join(outside, 'node_modules', '.bin', command)
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: outside,
    encoding: 'utf8',
    env: { ...process.env, ...QUIET_ENV, DO_NOT_TRACK: '1' },
  })
  if (status !== 0) throw new UserProblem(`${command} ${args.join(' ')}\n${(stdout + stderr).slice(0, 4_000)}`)
}

/** The generators, by the name of their tour and their folder. */
const GENERATORS: Record<keyof typeof TOURS, (document: string, folder: string) => void> = {
  'hey-api': (document, folder) =>
    run('openapi-ts', '-i', document, '-o', folder, '-p', '@hey-api/client-fetch', '@hey-api/sdk', 'zod'),
  orval: (document, folder) =>
    run('orval', '--input', document, '--output', path.join(folder, 'client.ts'), '--client', 'fetch'),
  kubb: (document, folder) => {
    const config = path.join(outside, 'kubb.config.ts')
    process.env.KUBB_INPUT = document
    process.env.KUBB_OUTPUT = folder
    run('kubb', 'generate', '--config', config, '--silent')
  },
}

const COMPILER_OPTIONS = {
  ...{
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
  },
  ...{ lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: ['node'], allowImportingTsExtensions: true },
  typeRoots: [path.join(root, 'node_modules', '@types')],
}

async function runTour(name: keyof typeof TOURS, folder: string): Promise<void> {
  const tour = path.join(folder, 'tour.ts')
  writeFileSync(tour, TOURS[name])
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  run('tsc', '-p', folder)
  const outfile = path.join(folder, 'tour.mjs')
  const nodePaths = [path.join(outside, 'node_modules')]
  await build({
    entryPoints: [tour],
    outfile,
    nodePaths,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  const { status, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' })
  if (status !== 0) throw new UserProblem(`The tour of ${name} failed: ${stderr.slice(0, 2_000)}`)
  console.log(`${name}: compiled, and its tour passed.`)
}

await runMain(async () => {
  const [document] = process.argv.slice(2)
  if (!document || !process.env.SERVICE_URL) throw new UserProblem('Run `npm run check:contract -- --only generators`.')
  rmSync(target, { recursive: true, force: true })
  for (const [name, generate] of Object.entries(GENERATORS)) {
    const folder = path.join(target, name)
    mkdirSync(folder, { recursive: true })
    generate(document, folder)
    await runTour(name as keyof typeof TOURS, folder)
  }
})
