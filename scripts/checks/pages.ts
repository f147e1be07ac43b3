// npm run check:pages: looks at the pages of /docs, of a portal and of the console in Chromium, and runs the commands of the guides and the samples.
//   --only a,b     some of PAGE_PARTS in parts.ts
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import '../leash.ts'
import { reservePort } from '../service/port.ts'
import { startService } from '../service/service.ts'
import { runMain, UserProblem } from '../wrangler.ts'
import { installOutsideTools, OUTSIDE_FOLDER } from './outside-tools.ts'
import { PAGE_PARTS } from './parts.ts'
import { runTool } from './tool.ts'

async function runParts(parts: readonly string[]): Promise<number> {
  if (!parts.length) return 0
  const state = mkdtempSync(path.join(tmpdir(), 'groundwork-pages-'))
  const service = await startService({ port: await reservePort(), env: { ...process.env, GROUNDWORK_STATE: state } })
  const { url, token, signInUrl } = service
  const env = { GROUNDWORK_URL: url, GROUNDWORK_KEY: token, GROUNDWORK_SIGN_IN: signInUrl, GROUNDWORK_STATE: state }
  let failed = 0
  try {
    for (const part of parts) {
      const passed = (await runTool(['node', path.join(OUTSIDE_FOLDER, 'pages', `${part}.ts`)], env)) === 0
      if (!passed) failed++
      console.log(`${passed ? '✓' : '✗'} ${part}`)
    }
  } finally {
    await service.stop()
    rmSync(state, { recursive: true, force: true })
  }
  return failed
}

await runMain(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const known: string[] = PAGE_PARTS.flat()
  const chosen = values.only?.split(',') ?? known
  const unknown = chosen.find((part) => !known.includes(part))
  if (unknown) throw new UserProblem(`--only does not know "${unknown}". Choose from: ${known.join(', ')}.`)
  if (spawnSync('python3', ['-c', 'import requests']).status !== 0)
    throw new UserProblem('Install Python 3 and its package requests, which the samples use.')
  await installOutsideTools()
  let failed = 0
  for (const parts of PAGE_PARTS) failed += await runParts(parts.filter((part) => chosen.includes(part)))
  process.exitCode = failed ? 1 : 0
})
