// npm run move: moves a workspace to another home, and shows the progress.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { DEPLOYED_ENVIRONMENTS } from '../deploy/production.ts'
import { locateHomes, locateWorkspace } from '../service/locate.ts'
import {
  type DatabaseLocation,
  listDeclaredHomes,
  localDatabase,
  runMain,
  runSql,
  stateFolderOf,
  UserProblem,
} from '../wrangler.ts'
import { chooseMove, type MoveRow, requestMove, selectMove } from './statements.ts'

const MOVE_COMMAND_USAGE = `npm run move -- --workspace ID --to HOME [options]

  --workspace 12     id of the workspace
  --to eu            name of the home in HOMES
  --status           shows the state of the move, and starts nothing
  --remote           uses the deployed service
  --env staging      uses staging, with --remote
  --state DIR        uses the local databases of \`npm start -- --state DIR\`

The running service moves the workspace. Reads go on; writes answer 503 while the service copies. Ctrl-C ends this
command, and the move goes on.`

const POLL_INTERVAL_MS = 2_000

const LATE_AFTER_MS = 15 * 60_000

function describeMove({ state, step, progress, problem }: MoveRow, target: string): string {
  const { pass, begun } = JSON.parse(progress) as { pass?: number; begun?: number }
  if (state === 'requested') return 'The service begins within a minute.'
  if (state === 'leaving') return pass ? `Copying: pass ${pass}, table ${begun}.` : 'Copying.'
  if (state === 'failed') {
    const copy = step === 'abandon' ? ' The service deletes the copy.' : ''
    return `The workspace stays in its home. ${problem}${copy}`
  }
  const rest = step === 'done' ? 'The old home has no rows left.' : 'The service deletes the rows of the old home.'
  return `The workspace is in ${target}. ${rest}`
}

async function readMove(workspace: number, where: DatabaseLocation): Promise<MoveRow | undefined> {
  const [[row]] = await runSql<[MoveRow[]]>([selectMove(workspace)], where)
  return row
}

/** The homes of the moves tell, because a workspace that came back has left no row in the home of its id. */
async function showStatus(service: DatabaseLocation, workspace: number): Promise<void> {
  const moves: (MoveRow & { from: string })[] = []
  for (const { name, where } of await locateHomes(service)) {
    const move = await readMove(workspace, where)
    if (move) moves.push({ ...move, from: name })
  }
  const move = chooseMove(moves)
  if (!move) return void console.log(`Workspace ${workspace} has not moved.`)
  const homes = await listDeclaredHomes(service)
  const target = homes.find(({ number }) => number === move.home)?.name ?? `home ${move.home}`
  console.log(`Move from ${move.from} to ${target}: ${move.state}. ${describeMove(move, target)}`)
  if (move.nextAttemptAt !== null && move.nextAttemptAt < Date.now() - LATE_AFTER_MS)
    console.log(
      `The next step is late since ${new Date(move.nextAttemptAt).toISOString()}. Read the log lines of the service.`,
    )
}

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      to: { type: 'string' },
      status: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      env: { type: 'string', default: 'production' },
      state: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return void process.stderr.write(`${MOVE_COMMAND_USAGE}\n`)
  if (!/^[1-9]\d{0,14}$/.test(values.workspace ?? '') || (values.to === undefined && !values.status))
    throw new UserProblem(`Give --workspace ID and --to HOME.\n\n${MOVE_COMMAND_USAGE}`)
  const workspace = Number(values.workspace)
  const env = DEPLOYED_ENVIRONMENTS.find((known) => known === values.env)
  if (!env) throw new UserProblem(`--env must be production or staging, not "${values.env}".`)
  const service: DatabaseLocation = values.remote ? { remote: true, env } : localDatabase(stateFolderOf(values.state))
  const homes = await listDeclaredHomes(service)
  if (values.status) return showStatus(service, workspace)
  const source = await locateWorkspace(service, workspace)
  const target = homes.find(({ name }) => name === values.to)
  if (!target)
    throw new UserProblem(`HOMES has no home "${values.to}". It has: ${homes.map(({ name }) => name).join(', ')}`)
  if (target.database === source.database) throw new UserProblem(`The workspace is in ${target.name} already.`)
  const [[requested]] = await runSql<[object[]]>([requestMove(workspace, target.number, Date.now())], source)
  if (!requested) throw new UserProblem(`Workspace ${workspace} does not exist, or is moving already. See --status.`)
  console.log(`The move of workspace ${workspace} to ${target.name} is requested.`)
  for (let shown = ''; ; await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))) {
    const move = await readMove(workspace, source)
    if (!move) throw new UserProblem('The row of the move is gone.')
    const text = describeMove(move, target.name)
    if (text !== shown) console.log(text)
    shown = text
    if (move.state === 'failed') process.exitCode = 1
    if (['failed', 'moved'].includes(move.state)) return
  }
})
