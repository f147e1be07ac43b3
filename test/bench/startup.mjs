// Start-up beside that of a bare Hono and zod worker, by `wrangler check startup`; and the size of what is uploaded.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { root, wrangler } from '../../scripts/wrangler.mjs'
import { median } from './load.mjs'

/** Milliseconds that each is busy until it can answer (medians of `turns` taken in turn), and their ratio. */
export async function measureStartup({ folder, compatibilityDate, turns }) {
  const bare = path.join(folder, 'bare')
  await mkdir(bare, { recursive: true })
  const config = path.join(bare, 'wrangler.json')
  await writeFile(
    config,
    JSON.stringify({
      name: 'bare',
      main: path.join(import.meta.dirname, 'bare.js'),
      compatibility_date: compatibilityDate,
      minify: true,
    }),
  )
  const times = { app: [], bare: [] }
  for (let turn = 0; turn < turns; turn++) {
    times.app.push(await busy(path.join(root, 'wrangler.toml'), path.join(folder, 'startup.cpuprofile')))
    times.bare.push(await busy(config, path.join(bare, 'startup.cpuprofile')))
  }
  return {
    app: median(times.app),
    bare: median(times.bare),
    ratio: median(times.app.map((time, turn) => time / times.bare[turn])),
  }
}

async function busy(config, file) {
  await wrangler(['check', 'startup', '--config', config, '--outfile', file])
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, 'utf8'))
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id))
  return samples.reduce((sum, id, index) => (idle.has(id) ? sum : sum + timeDeltas[index]), 0) / 1000
}

/** Kilobytes of a module as it is uploaded, compressed. */
export const gzipSize = (module) => gzipSync(module).length / 1000
