// Runs the commands and programs of docs/guides on a new workspace.
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import '../../../scripts/leash.ts'
import { GUIDES, readGuide } from '../../../scripts/pages/markdown.ts'
import { reservePort } from '../../../scripts/service/port.ts'
import { root, runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'
import { pollUntil } from '../../poll.ts'
import { installClient } from '../packed.ts'

interface Block {
  guide: string
  language: string
  /** Word after the language: `setup` is not run, `fails` expects failures, `verify` defines a function. */
  kind: string
  text: string
}

const problems: string[] = []

const readBlocks = (guide: string): Block[] =>
  [...readGuide(guide).matchAll(/^```(\w+) ?(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', kind = '', text = '']) => ({ guide, language, kind, text }),
  )

/** Prints the status of each answer to the standard error. */
const CURL = `curl() { command curl -w '%{stderr}status %{http_code}\\n' "$@"; }\n`

function runCommands({ guide, kind, text }: Block, folder: string): string {
  const { stdout, stderr, status } = spawnSync('bash', ['-euc', CURL + text], { cwd: folder, encoding: 'utf8' })
  const statuses = [...stderr.matchAll(/status (\d+)/g)].map(([, code]) => Number(code))
  const isRight = statuses.length > 0 && statuses.every((code) => (kind === 'fails' ? code >= 400 : code < 400))
  if (status !== 0 || !isRight) problems.push(`${guide}:\n${text}${stdout}\n${stderr}`)
  return stdout
}

const CLIENT = `import { createClient } from 'groundwork-client'
const groundwork = createClient({ url: process.env.GROUNDWORK_URL ?? '', key: process.env.GROUNDWORK_KEY ?? '' })
`

/** Fragments continue the first program of the guides. */
const completeProgram = (text: string) =>
  text.includes('createClient') || (!text.includes('groundwork.') && !text.includes('(groundwork'))
    ? text
    : CLIENT + text

const runsOn = (text: string) => text.includes('follow(') || text.includes('.listen(')

function checkPrograms(blocks: readonly Block[], project: string): void {
  const files = blocks.map(({ text }, n) => [`guide-${n}.ts`, completeProgram(text)] as const)
  for (const [name, text] of files) writeFileSync(path.join(project, name), text)
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'ES2024', module: 'NodeNext', moduleResolution: 'NodeNext' },
    ...{
      lib: ['ES2024', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules', '@types')],
    },
    ...{ moduleDetection: 'force' },
  }
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: files.map(([name]) => name) }),
  )
  const tsc = spawnSync(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', project], { encoding: 'utf8' })
  if (tsc.status !== 0) problems.push(tsc.stdout)
  for (const [name, text] of files) {
    if (runsOn(text)) continue
    const { status, stderr } = spawnSync(process.execPath, [name], { cwd: project, encoding: 'utf8' })
    if (status !== 0) problems.push(`${text}\n${stderr}`)
  }
}

function runPython({ guide, text }: Block, folder: string): void {
  const { status, stderr } = spawnSync('python3', ['-c', text], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) problems.push(`${guide}:\n${text}${stderr}`)
}

/** Programs that read headers, body and secret from the standard input and print true or false. */
const VERIFIERS: Record<string, { command: string[]; end: string; isOptional: boolean }> = {
  python: {
    command: ['python3'],
    end: '\nimport json, sys\ngiven = json.load(sys.stdin)\nprint(str(verify(given["headers"], given["body"].encode(), given["secret"])).lower())\n',
    isOptional: false,
  },
  ruby: {
    command: ['ruby'],
    end: "\nrequire 'json'\ngiven = JSON.parse(STDIN.read)\nputs verify(given['headers'], given['body'], given['secret'])\n",
    isOptional: true,
  },
  php: {
    command: ['php'],
    end: '\n$given = json_decode(stream_get_contents(STDIN), true);\necho json_encode(verify($given["headers"], $given["body"], $given["secret"]));\n',
    isOptional: true,
  },
}

const SECRET = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`

function signDelivery(body: string, secret: string, age = 0) {
  const [id, timestamp] = ['7', String(Math.floor(readClock() / 1000) - age)]
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

function verifyIn({ language, text }: Block, folder: string): void {
  const verifier = VERIFIERS[language]
  if (!verifier) throw new UserProblem(`No program runs the verification in ${language}.`)
  const [command = '', ...args] = verifier.command
  if (verifier.isOptional && spawnSync(command, ['--version']).error) {
    console.log(`${command} is not installed.`)
    return
  }
  const file = path.join(folder, `verify.${language}`)
  writeFileSync(file, text + verifier.end)
  const body = '{"type":"epic.created","data":{"summary":"Größe"}}'
  const headers = signDelivery(body, SECRET)
  const rotated = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
  const cases = [
    { given: { headers, body, secret: SECRET }, expected: 'true' },
    { given: { headers: rotated, body, secret: SECRET }, expected: 'true' },
    { given: { headers, body: `${body} `, secret: SECRET }, expected: 'false' },
    { given: { headers: signDelivery(body, SECRET, 400), body, secret: SECRET }, expected: 'false' },
    { given: { headers: signDelivery(body, `${SECRET.slice(0, -4)}AAAA`), body, secret: SECRET }, expected: 'false' },
  ]
  for (const [n, { given, expected }] of cases.entries()) {
    const input = JSON.stringify(given)
    const { stdout, stderr } = spawnSync(command, [...args, file], { input, encoding: 'utf8' })
    if (stdout.trim() !== expected) problems.push(`${language}, case ${n + 1}: ${stdout}${stderr}`)
  }
}

/** Creates the webhook of the guide, and lets its program receive a test. */
async function receiveDelivery(blocks: readonly Block[], project: string): Promise<void> {
  const port = await reservePort()
  const [create, test] = blocks.filter(({ language }) => language === 'sh')
  const receiver = blocks.find(({ kind }) => kind === 'receiver')
  if (!create || !test || !receiver) throw new UserProblem('The guide on webhooks has other blocks.')
  const withPort = (block: Block) => ({ ...block, text: block.text.replaceAll('3000', String(port)) })
  const [secret = ''] = /whsec_[\w+/=]+/.exec(runCommands(withPort(create), project)) ?? []
  const file = path.join(project, 'receive.ts')
  writeFileSync(file, withPort(receiver).text)
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [file], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    runCommands(withPort(test), project)
    await pollUntil('The receipt of the test', () => printed.includes('webhook.test'))
  } finally {
    child.kill()
  }
}

await runMain(async () => {
  const project = installClient()
  const folder = mkdtempSync(path.join(tmpdir(), 'groundwork-guides-'))
  const blocks = GUIDES.filter(({ name }) => name.startsWith('guides/')).flatMap(({ name }) => readBlocks(name))
  try {
    for (const block of blocks) {
      const { guide, language, kind } = block
      if (kind === 'verify') verifyIn(block, folder)
      else if (language === 'python') runPython(block, folder)
      else if (language === 'sh' && kind !== 'setup' && guide !== 'guides/webhooks') runCommands(block, folder)
    }
    checkPrograms(
      blocks.filter(({ language }) => language === 'ts'),
      project,
    )
    await receiveDelivery(
      blocks.filter(({ guide }) => guide === 'guides/webhooks'),
      project,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
    rmSync(project, { recursive: true, force: true })
  }
  if (problems.length) throw new UserProblem(problems.join('\n---\n'))
  console.log(`${blocks.length} blocks of the guides are right.`)
})
