import process from 'node:process'
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

/** Read by test/outside/generators/run.ts. */
export default defineConfig({
  root: '.',
  input: { path: process.env.KUBB_INPUT ?? '' },
  output: { path: process.env.KUBB_OUTPUT ?? '', clean: true, format: false, lint: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'models' } }),
    pluginClient({ client: 'fetch', bundle: true, output: { path: 'clients' } }),
  ],
})
