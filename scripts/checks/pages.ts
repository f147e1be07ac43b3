// npm run check:pages: looks at the pages of /docs and of a portal in Chromium, and runs the commands of the guides and the samples.
//   --only a,b     some of: guides, browser, portal, samples
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { findFreePort, startService } from '../service/service.ts'
import { runMain, UserProblem } from '../wrangler.ts'
import { installOutsideTools, OUTSIDE_FOLDER } from './outside-tools.ts'
import { runTool } from './run.ts'

/** The guides name records of a new workspace, and the samples remove records. */
const PARTS = ['guides', 'browser', 'portal', 'samples']

await runMain(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const chosen = values.only?.split(',') ?? PARTS
  const unknown = chosen.find((part) => !existsSync(path.join(OUTSIDE_FOLDER, 'pages', `${part}.ts`)))
  if (unknown) throw new UserProblem(`--only does not know "${unknown}". Choose from: ${PARTS.join(', ')}.`)
  if (spawnSync('python3', ['-c', 'import requests']).status !== 0)
    throw new UserProblem('Install Python 3 and its package requests, which the samples use.')
  await installOutsideTools()
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-pages-'))
  const service = await startService({ port: await findFreePort(), env: { ...process.env, GROUNDWORK_STATE: state } })
  let failed = 0
  try {
    for (const part of chosen) {
      const env = { GROUNDWORK_URL: service.url, GROUNDWORK_KEY: service.token }
      const passed = (await runTool(['node', path.join(OUTSIDE_FOLDER, 'pages', `${part}.ts`)], env)) === 0
      if (!passed) failed++
      console.log(`${passed ? '✓' : '✗'} ${part}`)
    }
  } finally {
    await service.stop()
    rmSync(state, { recursive: true, force: true })
  }
  process.exitCode = failed ? 1 : 0
})
