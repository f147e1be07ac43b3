// Bundles the command line with its libraries into one file, so that an installation needs no further packages.
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const outfile = path.join(folder, 'dist', 'groundwork.js')

await build({
  entryPoints: [path.join(folder, 'src', 'main.ts')],
  outfile,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.12',
  alias: { 'groundwork-client': path.join(folder, '..', 'typescript', 'src', 'index.ts') },
  // commander is a CommonJS package, and asks for modules of Node.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  legalComments: 'inline',
  logLevel: 'error',
})
chmodSync(outfile, 0o755)
