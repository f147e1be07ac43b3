import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { QUIET_ENV, root, UserProblem } from '../wrangler.ts'

export const OUTSIDE_FOLDER = path.join(root, 'test', 'outside')

/** The packages are kept apart, because running the service does not need the packages. */
export async function installOutsideTools(): Promise<void> {
  const wanted = readFileSync(path.join(OUTSIDE_FOLDER, 'package-lock.json'), 'utf8')
  const mark = path.join(OUTSIDE_FOLDER, 'node_modules', '.installed')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  console.log('Installing the test tools (half a minute, only the first time) …')
  const options = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const npm = spawn('npm', ['ci', ...options], {
    cwd: OUTSIDE_FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...QUIET_ENV },
  })
  const code = await new Promise((resolve) => npm.on('close', resolve))
  if (code !== 0)
    throw new UserProblem('The packages of test/outside could not be installed. See the message of npm above.')
  writeFileSync(mark, wanted)
}
