// Compiles the examples under strict TypeScript with the packed client, and runs each against the service.
// scripts/checks/contract.ts starts this file with the service's address and a key.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { createClient } from '../../../clients/typescript/src/index.ts'
import '../../../scripts/leash.ts'
import { reservePort } from '../../../scripts/service/port.ts'
import { root, runMain, UserProblem } from '../../../scripts/wrangler.ts'
import { readClock } from '../../clock.ts'
import { pollFor } from '../../poll.ts'
import { installClient } from '../packed.ts'

const product_external_key = 'GW-DEMO'

function expectTrue(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new UserProblem(what)
}

function installExamples(): string {
  const project = installClient()
  const folder = path.join(root, 'examples')
  const names = readdirSync(folder)
  for (const name of names) cpSync(path.join(folder, name), path.join(project, name), { recursive: true })
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'ES2024', module: 'NodeNext', moduleResolution: 'NodeNext' },
    ...{ noUncheckedIndexedAccess: true, allowImportingTsExtensions: true, skipLibCheck: true },
    ...{ lib: ['ES2024', 'ESNext.Iterator', 'DOM', 'DOM.Iterable'], types: ['node'] },
    typeRoots: [path.join(root, 'node_modules', '@types')],
  }
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: names }))
  const { status, stdout } = spawnSync(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', project], {
    encoding: 'utf8',
  })
  expectTrue(status === 0, stdout)
  return project
}

interface Context {
  project: string
  env: NodeJS.ProcessEnv
  client: ReturnType<typeof createClient>
  url: string
  key: string
}

function startExample({ project, env }: Context, name: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [`${name}.ts`, ...args], {
    cwd: path.join(project, name),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const runExample = ({ project, env }: Context, name: string, ...args: string[]) =>
  spawnSync(process.execPath, [`${name}.ts`, ...args], { cwd: path.join(project, name), env, encoding: 'utf8' })

async function tryPortalForm(context: Context): Promise<void> {
  const port = await reservePort()
  const form = startExample(context, 'portal-form', '--port', String(port))
  const address = `http://localhost:${port}/`
  const open = (init?: RequestInit) => fetch(address, init).catch(() => undefined)
  try {
    await pollFor('The form', () => open())
    const send = (fields: Record<string, string>) => open({ method: 'POST', body: new URLSearchParams(fields) })
    const title = `Formed <b>${readClock()}</b>`
    const wrong = await send({ title, description: '<script>', email: 'nobody' })
    const page = (await wrong?.text()) ?? ''
    expectTrue(wrong?.status === 400 && page.includes('&lt;b&gt;') && !page.includes('<script>'), page)
    const sent = await send({ title, description: 'At night & by day', email: 'visitor@example.com' })
    const key = /IDEA-\d+/.exec((await sent?.text()) ?? '')?.[0]
    expectTrue(key !== undefined, 'The form sent no idea.')
    const idea = await context.client.getFeedbackItem({ feedback_external_key: key })
    expectTrue(idea.title === title, `The idea has the title ${idea.title}.`)
  } finally {
    form.kill()
  }
}

async function tryNightlyPeople(context: Context): Promise<void> {
  const { client, project } = context
  const file = path.join(project, 'people.json')
  const write = (people: object[]) => writeFileSync(file, JSON.stringify(people))
  const run = () => runExample(context, 'nightly-people', file)
  const [ada, ben] = [
    { id: 1, email: 'ada.night@example.com', firstName: 'Ada', plan: 'pro' },
    { id: 2, email: 'ben.night@example.com' },
  ]
  write([ada, ben])
  expectTrue(run().status === 0, 'The first run failed.')
  const newest = async () => (await client.listEvents({ order: 'newest', limit: 1 }))[0]?.id
  const before = await newest()
  expectTrue(run().status === 0 && (await newest()) === before, 'A repeated run changed something.')
  write([
    { ...ada, email: 'ada.moved@example.com' },
    { ...ben, email: 'no address' },
  ])
  const { status, stderr } = run()
  expectTrue(status === 1 && stderr.includes('2: '), `The run with a wrong address ended with ${status}: ${stderr}`)
  const members = await client.listMembers({ email: ['ada.moved@example.com'] } as never)
  expectTrue(members[0]?.externalId === '1' && members[0].attributes.plan === 'pro', JSON.stringify(members))
}

async function trySlackRelay(context: Context): Promise<void> {
  const { client } = context
  const [port, slackPort] = [await reservePort(), await reservePort()]
  const messages: string[] = []
  const slack = createServer(async (request, response) => {
    messages.push((JSON.parse(await text(request)) as { text: string }).text)
    response.end('ok')
  }).listen(slackPort)
  const webhook = await client.createWebhook({
    body: { url: `http://localhost:${port}/`, events: ['feedback.created', 'solution_version.released'] },
  })
  const env = {
    ...context.env,
    GROUNDWORK_WEBHOOK_SECRET: webhook.secret,
    SLACK_WEBHOOK_URL: `http://localhost:${slackPort}/`,
  }
  const relay = startExample({ ...context, env }, 'slack-relay', '--port', String(port))
  const post = () => fetch(`http://localhost:${port}/`, { method: 'POST', body: '{}' }).catch(() => undefined)
  try {
    const forged = await pollFor('The relay', post)
    expectTrue(forged.status === 400, `A forged delivery got ${forged.status}.`)
    const title = `Relayed & <${readClock()}>`
    await client.createFeedbackItem({ body: { title, product: product_external_key } })
    const escaped = title.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    await pollFor('The message in Slack', () => messages.find((message) => message.includes(escaped)))
  } finally {
    relay.kill()
    slack.close()
    await client.removeWebhook({ webhookId: webhook.id })
  }
}

async function tryReleaseNote(context: Context): Promise<void> {
  const { client } = context
  const item = await client.createEpic({ product_external_key, body: { summary: 'Dark_mode' } })
  const version = await client.createSolutionVersion({
    product_external_key,
    body: { name: `Night ${readClock()}`, items: [item.externalKey] },
  })
  const note = runExample(context, 'release-note', version.externalKey)
  expectTrue(note.stdout === `# ${version.name}\n\n- Dark\\_mode (${item.externalKey})\n`, note.stdout + note.stderr)
  const refused = runExample(context, 'release-note', version.externalKey, '--release')
  expectTrue(refused.status === 1 && refused.stderr.includes(item.externalKey), refused.stderr)
  await client.modifyEpic({
    ...{ product_external_key, epic_external_key: item.externalKey },
    body: { progress: 'done' },
  })
  expectTrue(runExample(context, 'release-note', version.externalKey, '--release').status === 0, 'The release failed.')
}

await runMain(async () => {
  const { SERVICE_URL: url, SERVICE_TOKEN: key } = process.env
  if (!url || !key) throw new UserProblem('Run `npm run check:contract -- --only examples`.')
  const project = installExamples()
  const env = { ...process.env, GROUNDWORK_URL: url, GROUNDWORK_KEY: key, NODE_OPTIONS: '' }
  const context = { project, env, client: createClient({ url, key }), url, key }
  const tries = { tryPortalForm, tryNightlyPeople, trySlackRelay, tryReleaseNote }
  try {
    for (const [name, attempt] of Object.entries(tries)) {
      await attempt(context)
      console.log(`${name.replace('try', '')}: passed.`)
    }
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
