// Compares the start-up time with a bare Hono and zod worker by `wrangler check startup`, and measures the upload size.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { root, runWrangler } from '../../scripts/wrangler.ts'
import { median } from './load.ts'
import type { Profile } from './profile.ts'

interface Starting {
  folder: string
  compatibilityDate: string
  turns: number
}

export interface Startup {
  app: number
  bare: number
  ratio: number
}

/** Busy milliseconds until the first response (medians of `turns` alternating starts), and the ratio. */
export async function measureStartup({ folder, compatibilityDate, turns }: Starting): Promise<Startup> {
  const bare = path.join(folder, 'bare')
  await mkdir(bare, { recursive: true })
  const config = path.join(bare, 'wrangler.json')
  await writeFile(
    config,
    JSON.stringify({
      name: 'bare',
      main: path.join(import.meta.dirname, 'bare.ts'),
      compatibility_date: compatibilityDate,
      minify: true,
    }),
  )
  const times: { app: number; bare: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    times.push({
      app: await measureBusyMs(path.join(root, 'wrangler.toml'), path.join(folder, 'startup.cpuprofile')),
      bare: await measureBusyMs(config, path.join(bare, 'startup.cpuprofile')),
    })
  }
  return {
    app: median(times.map(({ app }) => app)),
    bare: median(times.map(({ bare }) => bare)),
    ratio: median(times.map(({ app, bare }) => app / bare)),
  }
}

async function measureBusyMs(config: string, file: string): Promise<number> {
  await runWrangler(['check', 'startup', '--config', config, '--outfile', file])
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(await readFile(file, 'utf8'))
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id))
  return samples.reduce((sum, id, index) => (idle.has(id) ? sum : sum + (timeDeltas[index] ?? 0)), 0) / 1000
}

/** Kilobytes of the compressed upload. */
export const gzipSize = (module: string): number => gzipSync(module).length / 1000
