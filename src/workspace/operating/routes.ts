import type { Context } from 'hono'
import { rememberedSize } from '../../db/client/storage'
import { serveHealth } from '../../http/health'
import { type AppEnv, openStoreOfRequest } from '../../http/response'
import { equalsInConstantTime } from '../../http/signatures'
import { ApiError } from '../../text/errors'
import { toIso } from '../../text/moments'
import { type Backlog, readState } from './queries'

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
  const { run, backlog } = await readState(openStoreOfRequest(c))
  const { deadLetters, ...oldestDue } = backlog
  const data = {
    databaseBytes: rememberedSize(),
    cron: run ? { ...run, ranAt: toIso(run.ranAt) } : null,
    oldestDue: showTimes(oldestDue),
    deadLettersOfLastDay: deadLetters,
  }
  return Response.json({ success: true, message: 'The state of the service.', data })
}

const showTimes = (times: Omit<Backlog, 'deadLetters'>) =>
  Object.fromEntries(Object.entries(times).map(([name, at]) => [name, at === null ? null : toIso(at)]))
