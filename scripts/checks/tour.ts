// npm run check:tour: runs docs/tour.md on a separate service and compares the output with the page and the README.
// With `-- --write`, writes the output into both files.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import '../leash.ts'
import { reservePort } from '../service/port.ts'
import { startService } from '../service/service.ts'
import { root, runMain, UserProblem } from '../wrangler.ts'

const STEP_PATTERN = /```sh\n([\s\S]*?)```(?:\n+```(?:json|text)\n([\s\S]*?)```)?/g
const END_OF_STEP_MARK = '@@end of step@@'
const MAX_OUTPUT_WIDTH = 110

interface TourStep {
  whole: string
  script: string
  output: string
}

interface TourPage {
  file: string
  text: string
  steps: TourStep[]
}

function readTourPage(name: string): TourPage {
  const file = path.join(root, name)
  const text = readFileSync(file, 'utf8')
  const steps = [...text.matchAll(STEP_PATTERN)].map(([whole, script = '', output = '']) => ({ whole, script, output }))
  if (!steps.length) throw new UserProblem(`${name} has no steps.`)
  return { file, text, steps }
}

async function runShell(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  return out
}

function formatJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value)
  if (indent.length + flat.length <= MAX_OUTPUT_WIDTH || typeof value !== 'object' || value === null) return flat
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    const fits = last !== undefined && !last.includes('\n') && !item.includes('\n')
    if (fits && inner.length + last.length + item.length + 3 <= MAX_OUTPUT_WIDTH)
      lines[lines.length - 1] = `${last}, ${item}`
    else lines.push(item)
  }
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`
}

function formatOutput(printed: string): string {
  try {
    return `${formatJson(JSON.parse(printed))}\n`
  } catch {
    return printed.trim() && `${printed.trim()}\n`
  }
}

const formatCodeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\`\`\``

function normalizeOutput(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<moment>')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<chance>')
}

async function runTourSteps(steps: TourStep[]): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-tour-'))
  const bin = path.join(root, 'node_modules', '.bin')
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(path.delimiter),
    GROUNDWORK_STATE: path.join(folder, 'state'),
    npm_config_prefix: undefined,
  }
  const { url, stop } = await startService({ port: await reservePort(), env })
  try {
    // The reader's shell stands in the checkout, but the files created by the tour go to a temporary folder.
    const npm = `npm() { command npm --prefix '${root}' "$@"; }`
    const script = steps.map(
      (step) => `${step.script.replaceAll('http://localhost:8787', url)}\nprintf '\\n${END_OF_STEP_MARK}\\n'`,
    )
    const out = await runShell([npm, ...script].join('\n'), folder, env)
    const printed = out
      .replaceAll(url, 'http://localhost:8787')
      .replace(/\beyJ[\w-]+\.[\w.-]+/g, 'eyJ…')
      .split(`\n${END_OF_STEP_MARK}\n`)
    return steps.map((_, index) => formatOutput(printed[index] ?? ''))
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeTourPage({ file, text, steps }: TourPage, printed: Map<string, string>): void {
  let written = text
  for (const { whole, script } of steps) {
    const now = printed.get(script) ?? ''
    const print = now && `\n\n${formatCodeBlock(/^[[{]/.test(now) ? 'json' : 'text', now)}`
    written = written.replace(whole, () => formatCodeBlock('sh', script) + print)
  }
  writeFileSync(file, written)
}

await runMain(async () => {
  const tour = readTourPage('docs/tour.md')
  const readme = readTourPage('README.md')
  const found = await runTourSteps(tour.steps)
  const printed = new Map(tour.steps.map(({ script }, index) => [script, found[index] ?? '']))
  const unknown = readme.steps.find(({ script }) => !printed.has(script))
  if (unknown) throw new UserProblem(`docs/tour.md lacks a step of README.md:\n\n${unknown.script}`)
  if (process.argv.includes('--write')) for (const page of [tour, readme]) writeTourPage(page, printed)

  const pages = process.argv.includes('--write')
    ? [readTourPage('docs/tour.md'), readTourPage('README.md')]
    : [tour, readme]
  const wrong = pages.flatMap(({ file, steps }) =>
    steps
      .filter(({ script, output }) => normalizeOutput(printed.get(script) ?? '') !== normalizeOutput(output))
      .map((step) => ({ file, ...step })),
  )
  for (const { file, script, output } of wrong) {
    console.log(
      `${path.relative(root, file)}: ${script}\nshould print\n\n${output}\nand prints\n\n${printed.get(script)}`,
    )
  }
  console.log(
    `${tour.steps.length} steps, ${readme.steps.length} of them in the README; ${wrong.length} print something else than is shown`,
  )
  process.exitCode = wrong.length ? 1 : 0
})
