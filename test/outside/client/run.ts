// Packs the TypeScript client, installs the tarball in an empty project, and walks through the service with it: on Node 20,
// in the Workers runtime and in Chromium. scripts/checks/contract.ts starts this file with the service's address and a key.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import '../../../scripts/leash.ts'
import { QUIET_ENV, root, runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { installClient, machineNode } from '../packed.ts'

const OUTSIDE = path.join(root, 'test', 'outside')
// All of the client. The SDK that hey-api makes of the document has 9.6 kB.
const MAX_GZIP_BYTES = 8_192
const env = { ...process.env, ...QUIET_ENV }
const run = (command: string, args: string[], cwd: string, added: Record<string, string> = {}) =>
  execFileSync(command, args, {
    cwd,
    env: { ...env, ...added },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })

function installTour(): string {
  const project = installClient()
  cpSync(path.join(OUTSIDE, 'client', 'tour.ts'), path.join(project, 'tour.ts'))
  return project
}

/** The types hold under the strictest options, for the compiler that most projects have. */
function checkTypes(project: string): void {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext' },
    ...{ lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: [], noUncheckedIndexedAccess: true },
    ...{ exactOptionalPropertyTypes: true, skipLibCheck: false },
  }
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['tour.ts'] }))
  run(path.join(OUTSIDE, 'node_modules/.bin/tsc'), ['-p', '.'], project)
}

const bundle = async (project: string, contents: string, external: string[] = []) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: project, loader: 'ts' },
    ...{ bundle: true, format: 'esm', minify: true, write: false, target: 'es2022', logLevel: 'error', external },
  })
  return outputFiles[0]?.text ?? ''
}

/** Imports the installed package. */
const NODE = `import { walkThrough } from './tour.ts'
console.log(JSON.stringify(await walkThrough(process.env.SERVICE_URL, process.env.SERVICE_TOKEN)))`

const WORKER = `import { walkThrough } from './tour.ts'
export default {
  async fetch(request) {
    const { url, key } = await request.json()
    try { return Response.json(await walkThrough(url, key)) } catch (error) { return new Response(String(error?.stack ?? error), { status: 500 }) }
  }
}`

async function walkInWorkers(project: string, url: string, key: string): Promise<string[]> {
  const script = await bundle(project, WORKER)
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      name: 'client',
      modules: [{ type: 'ESModule', path: 'worker.js', contents: script }],
      compatibilityDate: '2026-09-18',
    }),
  )
  try {
    const body = JSON.stringify({ url, key })
    const response = await worker.dispatchFetch('http://tour.test/', { method: 'POST', body })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as string[]
  } finally {
    await worker.dispose()
  }
}

const CHROMIUM = [process.env.CHROME_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (file) => file !== undefined && existsSync(file),
)

async function walkInBrowser(project: string, url: string, key: string): Promise<string[]> {
  const { chromium } = await import('playwright-core')
  const script = await bundle(project, `import { walkThrough } from './tour.ts'\nwindow.walkThrough = walkThrough`)
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Client</title><script type="module">${script}</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  const origin = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const settings = { method: 'PUT', headers: { 'x-api-key': `Bearer ${key}`, 'content-type': 'application/json' } }
  const setOrigins = (cors: string[]) =>
    fetch(`${url}/api/v2/settings`, { ...settings, body: JSON.stringify({ cors }) })
  await setOrigins([origin])
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    await page.waitForFunction('window.walkThrough !== undefined')
    return (await page.evaluate(`window.walkThrough(${JSON.stringify(url)}, ${JSON.stringify(key)})`)) as string[]
  } finally {
    await browser.close()
    await setOrigins([])
    server.close()
  }
}

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: key } = process.env
  if (!url || !key) throw new UserProblem('Run `npm run check:contract -- --only client`.')
  const project = installTour()
  try {
    checkTypes(project)
    console.log('The types hold.')
    const size = gzipSync(await bundle(project, "export * from 'groundwork-client'")).length
    if (size > MAX_GZIP_BYTES) throw new UserProblem(`The client has ${size} bytes gzipped, above ${MAX_GZIP_BYTES}.`)
    console.log(`The client has ${size} bytes gzipped.`)
    mkdirSync(path.join(project, 'dist'))
    writeFileSync(path.join(project, 'dist', 'node.mjs'), await bundle(project, NODE, ['groundwork-client']))
    const version = run(machineNode(), ['--version'], project).trim()
    const onNode = JSON.parse(run(machineNode(), ['dist/node.mjs'], project)) as string[]
    console.log(`Node ${version}: ${onNode.join(', ')}`)
    console.log(`Workers runtime: ${(await walkInWorkers(project, url, key)).join(', ')}`)
    if (CHROMIUM) console.log(`Chromium: ${(await walkInBrowser(project, url, key)).join(', ')}`)
    else if (process.env.CI) throw new UserProblem('Chromium is missing. Install it: apt-get install chromium.')
    else console.log('Chromium is missing: set CHROME_PATH, or apt-get install chromium.')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
