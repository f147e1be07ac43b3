// npm run ops: shows late work and the use of workspaces, and replays dead letters.
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { unstable_readConfig as readConfig } from 'wrangler'
import { DEPLOYED_ENVIRONMENTS } from '../deploy/production.ts'
import { locateHomes, locateWorkspace } from '../service/locate.ts'
import { type DatabaseLocation, localDatabase, root, runMain, runSql, stateFolderOf, UserProblem } from '../wrangler.ts'
import {
  countRows,
  type LateRow,
  listLateWork,
  markForReplay,
  SELECT_WORKSPACE_TABLES,
  selectTopWorkspaces,
  selectUsage,
  selectWorkspace,
} from './statements.ts'

const OPS_COMMAND_USAGE = `npm run ops -- COMMAND [options]

  stuck             lists imports, mailings, deliveries, receipts and moves that are late, and dead letters
  replay ID|all     marks a dead letter, or all; the cron enqueues marked dead letters once
  workspace ID      shows the rows, bytes, keys and quotas of a workspace
  top               lists the workspaces with the most bytes, rows written today and work items

  --home eu         only this home of HOMES; default: all homes
  --remote          uses the deployed database
  --env staging     uses the database of staging, with --remote
  --state DIR       uses the local database of \`npm start -- --state DIR\``

const showTime = (at: number | null) => (at === null ? 'never' : new Date(at).toISOString())

async function showLateWork(where: DatabaseLocation, now: number): Promise<void> {
  const rows = (await runSql<LateRow[][]>(listLateWork(now), where)).flat()
  if (!rows.length) return void console.log('No work is late, and there is no dead letter.')
  console.table(rows.map((row) => ({ ...row, since: showTime(row.since) })))
}

async function replayLetters(where: DatabaseLocation, now: number, which: string | undefined): Promise<void> {
  if (which !== 'all' && !/^[1-9]\d{0,14}$/.test(which ?? ''))
    throw new UserProblem('Name the id of a dead letter, or all: npm run ops -- replay 7')
  const [marked] = await runSql<[{ id: number }[]]>(
    [markForReplay(now, which === 'all' ? undefined : Number(which))],
    where,
  )
  if (!marked.length && which !== 'all')
    throw new UserProblem(`No unmarked dead letter has the id ${which}. List the ids with: npm run ops -- stuck`)
  console.log(`${marked.length} marked. The cron enqueues marked dead letters within a minute.`)
}

async function showWorkspace(service: DatabaseLocation, now: number, id: string | undefined): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(id ?? '')) throw new UserProblem('Name the id of a workspace: npm run ops -- workspace 1')
  const workspace = Number(id)
  const where = await locateWorkspace(service, workspace)
  const [[found], keys, [usage], tables] = await runSql<
    [{ name: string }[], { lastUsedAt: number | null }[], object[], { name: string }[]]
  >([...selectWorkspace(workspace), selectUsage(workspace, now), SELECT_WORKSPACE_TABLES], where)
  if (!found) throw new UserProblem(`The database has no workspace ${id}. List workspaces with: npm run ops -- top`)
  const counts = await runSql<{ name: string; rows: number }[][]>(
    tables.map(({ name }) => countRows(name, workspace)),
    where,
  )
  const config = path.join(root, 'wrangler.toml')
  const { vars } = where.remote ? readConfig({ config, env: where.env }) : readConfig({ config })
  console.table(counts.flat().filter(({ rows }) => rows > 0))
  console.table(keys.map((key) => ({ ...key, lastUsedAt: showTime(key.lastUsedAt) })))
  console.log({ ...found, ...usage, rowsPerDay: vars.WORKSPACE_ROWS_PER_DAY, bytesLimit: vars.WORKSPACE_BYTES })
}

async function showTop(where: DatabaseLocation, now: number): Promise<void> {
  for (const rows of await runSql(selectTopWorkspaces(now), where)) console.table(rows)
}

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      remote: { type: 'boolean', default: false },
      env: { type: 'string', default: 'production' },
      state: { type: 'string' },
      home: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command, argument] = positionals
  if (values.help) return void process.stderr.write(`${OPS_COMMAND_USAGE}\n`)
  const env = DEPLOYED_ENVIRONMENTS.find((name) => name === values.env)
  if (!env) throw new UserProblem(`--env must be one of ${DEPLOYED_ENVIRONMENTS.join(', ')}.`)
  const service: DatabaseLocation = values.remote ? { remote: true, env } : localDatabase(stateFolderOf(values.state))
  const now = Date.now()
  if (command === 'workspace') return showWorkspace(service, now, argument)
  const homes = await locateHomes(service, values.home)
  const inEachHome = async (work: (where: DatabaseLocation) => Promise<void>) => {
    for (const { name, where } of homes) {
      if (homes.length > 1) console.log(`Home ${name}:`)
      await work(where).catch((cause: unknown) => {
        if (homes.length === 1) throw cause
        console.error(cause instanceof Error ? cause.message : cause)
        process.exitCode = 1
      })
    }
  }
  if (command === 'stuck') return inEachHome((where) => showLateWork(where, now))
  if (command === 'top') return inEachHome((where) => showTop(where, now))
  if (command === 'replay') {
    if (argument !== 'all' && homes.length > 1) throw new UserProblem('Name the home of the dead letter with --home.')
    return inEachHome((where) => replayLetters(where, now, argument))
  }
  throw new UserProblem(`The command "${command ?? ''}" is unknown.\n\n${OPS_COMMAND_USAGE}`)
})
