import path from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { deps, limits, runtime } from '../../vitest.config.ts'

const root = path.resolve(import.meta.dirname, '../..')

export default defineConfig({
  root,
  plugins: [runtime()],
  test: {
    name: 'outside',
    include: ['test/outside/*.test.ts'],
    setupFiles: ['./test/setup.ts'],
    deps,
    ...limits,
    provide: { seed: Number(process.env.SEED ?? 1) },
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}
