// Runs examples/mirror with the packed client against the service: it is killed in the middle, and ends with equal records.
// scripts/checks/contract.ts starts this file with the service's address and a key.
import { rmSync } from 'node:fs'
import process from 'node:process'
import { createClient } from '../../../clients/typescript/src/index.ts'
import '../../../scripts/leash.ts'
import { runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { findDifferences } from '../../mirror/compare.ts'
import { installExample, readCopies, readLists, startMirror, waitForPosition } from './example.ts'

const product_external_key = 'GW-DEMO'

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: key } = process.env
  if (!url || !key) throw new UserProblem('Run `npm run check:contract -- --only mirror`.')
  const client = createClient({ url, key })
  const readPosition = async () => (await client.listEvents({ order: 'newest', limit: 1 }))[0]?.id ?? 0
  const change = async (name: string) => {
    for (let n = 0; n < 5; n++) {
      const { externalKey } = await client.createEpic({ product_external_key, body: { summary: `${name} ${n}` } })
      const at = { product_external_key, epic_external_key: externalKey }
      if (n % 2) await client.modifyEpic({ ...at, body: { progress: 'in-progress' } })
      if (n === 3) await client.removeEpic(at)
    }
  }

  const project = installExample()
  const first = startMirror(project, url, key)
  await change('Before the kill')
  await waitForPosition(project, 1)
  await change('Around the kill')
  first.kill('SIGKILL')
  await change('Without a mirror')
  const second = startMirror(project, url, key)
  await change('After the kill')
  await waitForPosition(project, await readPosition())
  second.kill('SIGTERM')

  const copies = readCopies(project)
  const listed = await readLists(client)
  const differences = findDifferences(copies, listed)
  for (const difference of differences.slice(0, 20)) console.log(`  ${difference}`)
  console.log(`${copies.size} records mirrored`)
  process.exitCode = differences.length || copies.size < 20 ? 1 : 0
  rmSync(project, { recursive: true, force: true })
})
