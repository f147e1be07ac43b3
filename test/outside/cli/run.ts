// Packs the command line, installs the tarball in an empty project, and walks through the service with it on the Node of the
// machine. scripts/checks/contract.ts starts this file with the service's address and a key.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import process from 'node:process'
import { Webhook } from 'standardwebhooks'
import '../../../scripts/leash.ts'
import { root, runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'
import { pollUntil } from '../../poll.ts'
import { installPacked, machineNode } from '../packed.ts'

const CLI = path.join(root, 'clients', 'cli')

interface Answer {
  code: number | null
  out: string
  err: string
}

interface Walk {
  project: string
  env: NodeJS.ProcessEnv
  run(args: string[], options?: { input?: string; env?: NodeJS.ProcessEnv }): Answer
}

function expect(step: string, isMet: boolean, answer: unknown): void {
  if (!isMet) throw new Error(`${step}: ${JSON.stringify(answer)}`)
}

function runOk(walk: Walk, ...args: string[]): string {
  const answer = walk.run(args)
  expect(`groundwork ${args.join(' ')}`, answer.code === 0, answer)
  return answer.out
}

const jsonOf = <T>(walk: Walk, ...args: string[]): T => JSON.parse(runOk(walk, ...args, '--json')) as T

function walkSignIn(walk: Walk, url: string, key: string): void {
  expect('without a key', walk.run(['whoami']).code === 3, 'whoami')
  const login = walk.run(['login', '--url', url, '--key', key])
  expect('login', login.code === 0 && login.err.includes('Signed in'), login)
  const stored = path.join(walk.project, 'config', 'groundwork', 'config.json')
  expect('the key is private', (statSync(stored).mode & 0o077) === 0, statSync(stored).mode)
  expect('whoami', jsonOf<{ scopes: string[] }>(walk, 'whoami').scopes.includes('*'), 'whoami')
  expect('a wrong key', walk.run(['getMe', '--key', 'a.b.c']).code === 3, 'getMe')
  expect('an unreachable service', walk.run(['getMe', '--url', 'http://127.0.0.1:9']).code === 4, 'getMe')
}

function walkOperations(walk: Walk): void {
  const created = jsonOf<{ externalKey: string }>(
    walk,
    'createEpic',
    '--product',
    'GW-DEMO',
    '--summary',
    '--json and "quotes"',
  )
  const at = ['--product', 'GW-DEMO', '--epic', created.externalKey]
  runOk(walk, 'modifyEpic', ...at, '--progress', 'in-progress')
  const epic = jsonOf<{ summary: string; progress: string }>(walk, 'getEpic', ...at)
  expect('the epic', epic.summary === '--json and "quotes"' && epic.progress === 'in-progress', epic)
  const body = walk.run(['modifyEpic', ...at, '--body', '-'], { input: '{"summary":"From the input"}' })
  expect('a body of the standard input', body.code === 0, body)
  const all = jsonOf<object[]>(walk, 'listEpics', '--product', 'GW-DEMO', '--limit', '1', '--all')
  expect('all pages', all.length > 1, all.length)
  const table = runOk(walk, 'listEpics', '--product', 'GW-DEMO')
  expect('a table', table.includes('externalKey') && table.includes(created.externalKey), table)
  runOk(walk, 'createTeam', '--name', '\u001b[31mRed\u001b[0m\u0007')
  expect('no escape of a terminal', !runOk(walk, 'listTeams').includes('\u001b'), 'listTeams')
  for (const [args, code, text] of [
    [['createEpic', '--product', 'GW-DEMO'], 2, '--summary'],
    [['createEpic', '--product', 'GW-DEMO', '--sumary', 'x'], 2, 'sumary'],
    [['createEpic', 'stray'], 2, 'no flag'],
    [['noSuchOperation'], 2, 'noSuchOperation'],
    [['getEpic', '--product', 'GW-DEMO', '--epic', 'EP-99999'], 1, 'not found'],
    [['createEpic', '--product', 'GW-DEMO', '--summary', ''], 1, '/summary'],
  ] as const) {
    const answer = walk.run([...args])
    expect(args.join(' '), answer.code === code && answer.err.includes(text), answer)
  }
  const failed = walk.run(['createEpic', '--product', 'GW-DEMO', '--summary', '', '--json'])
  expect('an error as JSON', JSON.parse(failed.err).error.code === 'validation_failed', failed)
  expect('completion', runOk(walk, 'completion', 'bash').includes('createEpic'), 'completion')
  expect('search', runOk(walk, 'operations', 'merge', 'tag').includes('mergeTag'), 'operations')
}

function walkFiles(walk: Walk): void {
  const file = path.join(walk.project, 'tickets.csv')
  const rows = Array.from({ length: 6_000 }, (_, n) => `T-${n},Ticket ${n},${n === 3 ? 'strange' : 'Done'}`)
  writeFileSync(file, `Issue key,Summary,Status\n${rows.join('\n')}\n`)
  const into = ['import', file, '--into', 'backlog', '--product', 'GW-DEMO']
  const preview = jsonOf<{ totals: { created: number } }>(walk, ...into, '--dry-run')
  expect('a preview', preview.totals.created === 6_000, preview)
  const unasked = walk.run(into)
  expect('no import without consent', unasked.code === 2 && unasked.err.includes('--yes'), unasked)
  const run = jsonOf<{ id: number; status: string; totals: object }>(walk, ...into, '--yes')
  expect('the import', run.status === 'completed' || run.status === 'partial', run)
  const exported = path.join(walk.project, 'backlog.ndjson')
  runOk(walk, 'export', 'backlog', '--product', 'GW-DEMO', '--format', 'ndjson', '--output', exported)
  const lines = readFileSync(exported, 'utf8').trim().split('\n')
  expect('the export', lines.length > 6_000, lines.length)
  runOk(walk, 'undoImport', '--import-id', String(run.id))
  const archive = path.join(walk.project, 'workspace.zip')
  runOk(walk, 'export', 'workspace', '--output', archive)
  expect('a workspace as ZIP', readFileSync(archive).subarray(0, 2).toString() === 'PK', archive)
  const refused = walk.run(['restore', archive])
  expect('a restore into a full workspace', refused.code === 1 && refused.err.includes('not empty'), refused)
}

function walkMail(walk: Walk): void {
  const file = path.join(walk.project, 'mail.html')
  writeFileSync(file, '<p>Hello {{firstName}}</p>')
  runOk(walk, 'mail', 'test', '--to', 'ada@example.com', '--subject', 'Hello', '--html', file)
}

async function walkEvents(walk: Walk): Promise<void> {
  expect('events', runOk(walk, 'events').includes('userstory.deleted'), 'events')
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      // The first delivery fails, and is repeated.
      response.writeHead(received.length === 1 ? 500 : 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
  const args = ['webhooks', 'forward', '--to', `127.0.0.1:${port}`, '--secret', secret, '--events', 'team.created']
  const child: ChildProcess = spawn(machineNode(), [binaryOf(walk), ...args], {
    env: walk.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    await new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()))
    runOk(walk, 'createTeam', '--name', `Forwarded ${readClock()}`)
    await pollUntil('A repeated delivery', () => received.length >= 2)
    expect('a repeated delivery', received.length === 2, received.length)
    for (const { headers, body } of received) new Webhook(secret).verify(body, headers as Record<string, string>)
    expect('the event', JSON.parse(received[1]?.body ?? '{}').type === 'team.created', received)
  } finally {
    child.kill('SIGINT')
    server.close()
  }
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect('Ctrl-C', code === 0, code)
}

const binaryOf = ({ project }: Pick<Walk, 'project'>) =>
  path.join(project, 'node_modules', 'groundwork', 'dist', 'groundwork.js')

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: key } = process.env
  if (!url || !key) throw new UserProblem('Run `npm run check:contract -- --only cli`.')
  execFileSync(process.execPath, [path.join(CLI, 'build.ts')], { stdio: 'inherit' })
  const project = installPacked(CLI)
  const { GROUNDWORK_URL: _, GROUNDWORK_KEY: __, ...outer } = process.env
  const env = { ...outer, XDG_CONFIG_HOME: path.join(project, 'config'), NO_COLOR: '1' }
  const walk: Walk = {
    project,
    env,
    run(args, options = {}) {
      const done = spawnSync(machineNode(), [binaryOf({ project }), ...args], {
        cwd: project,
        encoding: 'utf8',
        env: { ...env, ...options.env },
        input: options.input ?? '',
        maxBuffer: 100_000_000,
      })
      return { code: done.status, out: done.stdout, err: done.stderr }
    },
  }
  try {
    walkSignIn(walk, url, key)
    walkOperations(walk)
    walkFiles(walk)
    walkMail(walk)
    await walkEvents(walk)
    runOk(walk, 'logout')
    expect('logout', walk.run(['whoami']).code === 3, 'whoami')
    console.log('The command line signs in, calls operations, imports, exports, mails and forwards events.')
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
