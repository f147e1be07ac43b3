import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { renderPages } from './pages.ts'

const projectRoot = path.resolve(import.meta.dirname, '../..')
const packageFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const publicDocsFolder = path.join(projectRoot, 'public', 'docs')

mkdirSync(publicDocsFolder, { recursive: true })
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
