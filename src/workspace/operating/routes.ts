import type { Context } from 'hono'
import { BATCH_TIMEOUTS_MS, withTimeout } from '../../db/client/batch'
import { openStore } from '../../db/client/client'
import { rememberedSize } from '../../db/client/storage'
import { type Home, listHomes } from '../../homes'
import { serveHealth } from '../../http/health'
import { type AppEnv, exchangeOf } from '../../http/response'
import { equalsInConstantTime } from '../../http/signatures'
import { ApiError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { type Backlog, readState, type State } from './queries'

/** `?deep=1` shows the state of the service to its operator. Without the operator's secret, the path does not exist. */
export async function serveHealthToOperator(c: Context<AppEnv>): Promise<Response> {
  if (c.req.query('deep') === undefined) return serveHealth(c)
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const secret = c.env.OPS_TOKEN
  if (!secret || !(await equalsInConstantTime(token, secret)))
    throw new ApiError(
      'route_not_found',
      `No operation has the path ${c.req.path} with this query. See /docs for all operations.`,
    )
  const homes = listHomes(c.env)
  const answers = await Promise.allSettled(homes.map((home) => readStateOfHome(c, home)))
  const states = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first, ...others] = states
  if (!first) throw answers.find((answer) => answer.status === 'rejected')?.reason
  const showHome = (answer: PromiseSettledResult<HomeState>, n: number) => {
    const home = homes[n]?.name
    return answer.status === 'fulfilled' ? { home, ...showState(answer.value) } : { home, isDown: true }
  }
  const data = {
    ...showState(others.reduce(joinStates, first)),
    ...(homes.length > 1 && { homes: answers.map(showHome) }),
  }
  return Response.json({ success: true, message: 'The state of the service.', data })
}

interface HomeState extends State {
  databaseBytes: number
}

async function readStateOfHome(c: Context<AppEnv>, { env: { DB } }: Home): Promise<HomeState> {
  const state = await withTimeout(BATCH_TIMEOUTS_MS.read, readState(openStore(DB, Date.now(), exchangeOf(c))))
  return { ...state, databaseBytes: rememberedSize(DB) }
}

const earlier = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** The worse of each figure: the larger database, the older run and the older work. */
function joinStates(one: HomeState, other: HomeState): HomeState {
  const names = Object.keys(one.backlog) as (keyof Backlog)[]
  const backlog = Object.fromEntries(names.map((name) => [name, earlier(one.backlog[name], other.backlog[name])]))
  return {
    databaseBytes: Math.max(one.databaseBytes, other.databaseBytes),
    run: one.run && other.run ? (one.run.ranAt <= other.run.ranAt ? one.run : other.run) : undefined,
    backlog: { ...(backlog as unknown as Backlog), deadLetters: one.backlog.deadLetters + other.backlog.deadLetters },
  }
}

function showState({ databaseBytes, run, backlog: { deadLetters, ...oldestDue } }: HomeState) {
  return {
    databaseBytes,
    cron: run ? { ...run, ranAt: toIso(run.ranAt) } : null,
    oldestDue: showTimes(oldestDue),
    deadLettersOfLastDay: deadLetters,
  }
}

const showTimes = (times: Omit<Backlog, 'deadLetters'>) =>
  Object.fromEntries(Object.entries(times).map(([name, at]) => [name, at === null ? null : toIso(at)]))
