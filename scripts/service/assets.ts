import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { renderPage } from '../pages/html.ts'
import { makePages } from '../pages/pages.ts'
import { readReference } from '../pages/reference.ts'
import { makeSearchIndex } from '../pages/search-index.ts'
import { buildWidget } from '../portal/assets.ts'
import { buildPageAssets } from './page-assets.ts'

const projectRoot = path.resolve(import.meta.dirname, '../..')
const pagesFolder = path.resolve(import.meta.dirname, '../pages')
const publicFolder = path.join(projectRoot, 'public')
const publicDocsFolder = path.join(publicFolder, 'docs')
const publicAssetsFolder = path.join(publicFolder, 'assets')
const assetAddressesFile = path.join(projectRoot, 'src/http/page-assets.json')

const PAGE_HEADERS = `  Cache-Control: public, max-age=300
  Referrer-Policy: no-referrer`

const HEADERS = `/openapi.json
  Access-Control-Allow-Origin: *
  Cache-Control: public, max-age=300
/docs
${PAGE_HEADERS}
/docs/*
${PAGE_HEADERS}
/widget.js
  Access-Control-Allow-Origin: *
  Cache-Control: public, max-age=300
/assets/*
  Cache-Control: public, max-age=31536000, immutable
/*
  X-Content-Type-Options: nosniff
`

const written = new Set<string>()
const write = (name: string, text: string) => {
  const file = path.join(publicFolder, name)
  written.add(file)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

cpSync(path.join(import.meta.dirname, 'static'), publicFolder, { recursive: true })
const document: unknown = JSON.parse(readFileSync(path.join(projectRoot, 'openapi.json'), 'utf8'))
write('openapi.json', JSON.stringify(document))
write('_headers', HEADERS)
const reference = readReference()
const pages = makePages(reference)
for (const [name, page] of pages) write(name ? `docs/${name}.html` : 'docs.html', renderPage(page))
write('docs/search.json', JSON.stringify(makeSearchIndex(reference, pages)))
const styles = ['base', 'layout', 'content'].map((name) =>
  readFileSync(path.join(pagesFolder, 'style', `${name}.css`), 'utf8'),
)
write('docs/style.css', styles.join('\n'))
const { outputFiles } = buildSync({
  entryPoints: [path.join(pagesFolder, 'browser', 'pages.ts')],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
  logLevel: 'error',
})
write('docs/pages.js', outputFiles[0]?.text ?? '')

const { files, addresses } = await buildPageAssets()
for (const { address, text } of files) write(address, text)
write('widget.js', buildWidget())
// Writing the same text would start the build of a running service again.
if (!existsSync(assetAddressesFile) || readFileSync(assetAddressesFile, 'utf8') !== addresses)
  writeFileSync(assetAddressesFile, addresses)

// Files of an earlier build; a running service keeps the others meanwhile.
for (const folder of [publicDocsFolder, publicAssetsFolder]) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && !written.has(file)) rmSync(file)
  }
}
