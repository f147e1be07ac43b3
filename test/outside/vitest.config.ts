import path from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { deps, runtime } from '../../vitest.config.ts'

const root = path.resolve(import.meta.dirname, '../..')

export default defineConfig({
  root,
  plugins: [runtime()],
  test: {
    name: 'outside',
    include: ['test/outside/*.test.ts'],
    setupFiles: ['./test/setup.ts'],
    deps,
    // The hook after the file explains every statement of the fuzzer.
    hookTimeout: 120_000,
    provide: { seed: Number(process.env.SEED ?? 1) },
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}
