// npm run openapi: writes openapi.json and the generated sources of the TypeScript client from the operation table.
//   --release   also writes the document that the next changes are compared with; run it when you release
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { makeClientSources } from '../clients/sources.ts'
import { root, runMain } from '../wrangler.ts'
import { reduceDocument } from './reduce.ts'

export const OPENAPI_FILE = path.join(root, 'openapi.json')
const CLIENTS_FOLDER = path.join(root, 'clients')
const RELEASED_FILE = path.join(root, 'test', 'repo', 'released-openapi.json')

const ENTRY = `
import { buildOpenApiDocument } from './src/openapi/document'
import { operations } from './src/operations'
export default buildOpenApiDocument(operations)
`

/** The sources import without file extensions, which Node alone does not resolve. */
async function buildDocument(): Promise<object> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['cloudflare:*', 'node:*'],
    write: false,
    logLevel: 'error',
  })
  const bundle = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  const { default: document } = await import(`data:text/javascript;base64,${bundle}`)
  return document
}

await runMain(async () => {
  const { values } = parseArgs({ options: { release: { type: 'boolean', default: false } } })
  const document = await buildDocument()
  writeFileSync(OPENAPI_FILE, `${JSON.stringify(document, null, 2)}\n`)
  console.log('openapi.json is written.')
  for (const [name, text] of makeClientSources(document)) writeFileSync(path.join(CLIENTS_FOLDER, name), text)
  console.log('The generated sources of the clients are written.')
  if (!values.release) return
  writeFileSync(RELEASED_FILE, JSON.stringify(reduceDocument(document)))
  console.log('test/repo/released-openapi.json is written.')
})
