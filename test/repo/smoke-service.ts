import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll } from 'vitest'
import { reservePort } from '../../scripts/service/port'
import { type StartedService, startService } from '../../scripts/service/service'
import { root } from '../../scripts/wrangler'

const state = mkdtempSync(path.join(tmpdir(), 'groundwork-smoke-'))
export const smokeEnv = {
  ...process.env,
  GROUNDWORK_STATE: state,
  PATH: [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter),
}

/** The service of `npm start` for the tests of a file. */
export let service: StartedService

beforeAll(async () => {
  service = await startService({ port: await reservePort(), env: smokeEnv })
}, 600_000)
afterAll(async () => {
  await service?.stop()
  rmSync(state, { recursive: true, force: true })
})

export async function call<Data>(route: string, { body, key = service.token }: { body?: object; key?: string } = {}) {
  const [method, to] = route.split(' ') as [string, string]
  const headers = { 'x-api-key': `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(service.url + to, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return ((await answer.json()) as { data: Data }).data
}
