import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { renderPages } from './pages.ts'

const projectRoot = path.resolve(import.meta.dirname, '../..')
const packageFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const publicFolder = path.join(projectRoot, 'public')
const publicDocsFolder = path.join(publicFolder, 'docs')

const HEADERS = `/openapi.json
  Access-Control-Allow-Origin: *
  Cache-Control: public, max-age=300
/*
  X-Content-Type-Options: nosniff
`

mkdirSync(publicDocsFolder, { recursive: true })
cpSync(path.join(import.meta.dirname, 'static'), publicFolder, { recursive: true })
const document: unknown = JSON.parse(readFileSync(path.join(projectRoot, 'openapi.json'), 'utf8'))
writeFileSync(path.join(publicFolder, 'openapi.json'), JSON.stringify(document))
writeFileSync(path.join(publicFolder, '_headers'), HEADERS)
for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE']) {
  copyFileSync(path.join(packageFolder, file), path.join(publicDocsFolder, file))
}
for (const [name, html] of renderPages()) writeFileSync(path.join(publicDocsFolder, `${name}.html`), html)
writeFileSync(
  path.join(publicDocsFolder, 'start.js'),
  `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor(request) {
    const key = request.headers['x-api-key']
    if (key && !key.startsWith('Bearer ')) request.headers['x-api-key'] = 'Bearer ' + key
    return request
  },
})
`,
)
