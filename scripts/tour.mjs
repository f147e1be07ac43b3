// Walks the README's tour on a service of its own and compares what is printed with what the README shows; timestamps
// and random ids may differ, tokens are shown shortened. `node scripts/tour.mjs --write` puts what is printed into the README instead.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import './leash.mjs'
import { freePort, startService } from './service.mjs'
import { main, Problem, root } from './wrangler.mjs'

const README = path.join(root, 'README.md')
const TOUR = /(?<=\n## A five-minute tour\n)[\s\S]*?(?=\n## )/
// A block of shell lines and, where it prints something, the block that shows it.
const STEP = /```sh\n([\s\S]*?)```(?:\n+```(?:json|text)\n([\s\S]*?)```)?/g
const END = '@@end of step@@'
const WIDTH = 110

async function shell(script, cwd, env) {
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    out += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  return out
}

/** JSON over several lines, with what fits on one line kept there. */
function pretty(value, indent = '') {
  const flat = JSON.stringify(value)
  if (indent.length + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map((item) => pretty(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pretty(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = []
  for (const item of items) {
    const last = lines.at(-1)
    const fits = last !== undefined && !last.includes('\n') && !item.includes('\n')
    if (fits && inner.length + last.length + item.length + 3 <= WIDTH) lines[lines.length - 1] = `${last}, ${item}`
    else lines.push(item)
  }
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`
}

function shown(printed) {
  try {
    return `${pretty(JSON.parse(printed))}\n`
  } catch {
    return printed.trim() && `${printed.trim()}\n`
  }
}

function block(language, text) {
  return `\`\`\`${language}\n${text}\`\`\``
}

/** What must be equal: all but moments and what comes of chance. */
function comparable(text) {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<moment>')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<chance>')
}

await main(async () => {
  const write = process.argv.includes('--write')
  const readme = readFileSync(README, 'utf8')
  const tour = TOUR.exec(readme)?.[0]
  if (!tour) throw new Problem('README.md has no section "A five-minute tour".')
  const steps = [...tour.matchAll(STEP)].map(([whole, script, output]) => ({ whole, script, output }))

  const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-tour-'))
  const port = await freePort()
  const bin = path.join(root, 'node_modules', '.bin')
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(path.delimiter),
    GROUNDWORK_STATE: path.join(folder, 'state'),
    npm_config_prefix: undefined,
  }
  const { url, stop } = await startService({ port, env })
  try {
    // The reader's shell stands in the checkout; files that the tour makes go elsewhere here.
    const npm = `npm() { command npm --prefix '${root}' "$@"; }`
    const script = steps.map((step) => `${step.script.replaceAll('http://localhost:8787', url)}\nprintf '\\n${END}\\n'`)
    const out = await shell([npm, ...script].join('\n'), folder, env)
    const printed = out
      .replaceAll(url, 'http://localhost:8787')
      .replace(/\beyJ[\w-]+\.[\w.-]+/g, 'eyJ…')
      .split(`\n${END}\n`)
    let text = tour
    let wrong = 0
    for (const [index, { whole, script, output = '' }] of steps.entries()) {
      const now = shown(printed[index] ?? '')
      if (write) {
        const print = now && `\n\n${block(/^[[{]/.test(now) ? 'json' : 'text', now)}`
        text = text.replace(whole, () => block('sh', script) + print)
      } else if (comparable(now) !== comparable(output)) {
        wrong++
        console.log(`${script}\nshould print\n\n${output}\nand prints\n\n${now}`)
      }
    }
    if (write)
      writeFileSync(
        README,
        readme.replace(tour, () => text),
      )
    console.log(`${steps.length} steps, ${wrong} print something else than the README shows`)
    process.exitCode = wrong ? 1 : 0
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
