import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { renderPage } from '../pages/html.ts'
import { makePages } from '../pages/pages.ts'
import { readReference } from '../pages/reference.ts'
import { makeSearchIndex } from '../pages/search-index.ts'

const projectRoot = path.resolve(import.meta.dirname, '../..')
const pagesFolder = path.resolve(import.meta.dirname, '../pages')
const publicFolder = path.join(projectRoot, 'public')
const publicDocsFolder = path.join(publicFolder, 'docs')

const PAGE_HEADERS = `  Cache-Control: public, max-age=300
  Referrer-Policy: no-referrer
  Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const HEADERS = `/openapi.json
  Access-Control-Allow-Origin: *
  Cache-Control: public, max-age=300
/docs
${PAGE_HEADERS}
/docs/*
${PAGE_HEADERS}
/*
  X-Content-Type-Options: nosniff
`

const write = (name: string, text: string) => {
  const file = path.join(publicFolder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

// Pages of an earlier build.
rmSync(publicDocsFolder, { recursive: true, force: true })
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
buildSync({
  entryPoints: [path.join(pagesFolder, 'browser', 'pages.ts')],
  outdir: publicDocsFolder,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'error',
})
