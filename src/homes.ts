import { fenceDatabase } from './db/client/fence'
import type { Env } from './env'
import { ApiError } from './text/errors'

/*
 * A home is a database that holds whole workspaces, with the bucket of their files. The id of a workspace names the home
 * in which the workspace was created, so a request finds the database without a lookup. A moved workspace keeps its id:
 * the first request of an isolate asks the old home, whose row names the new home, and the isolate remembers the new home.
 */

/** Ids of the workspaces that a home can create: id = home × 2^20 + n. */
export const WORKSPACES_PER_HOME = 2 ** 20

/** The id of a workspace stays below 2^31, because the log's keys shift it by 32 bits. */
export const MAX_HOME_NUMBER = 2_047

export interface Home {
  number: number
  /** Region or jurisdiction, like `default` or `eu`. */
  name: string
  /** The bindings of the Worker, with the database and the bucket of the home as `DB` and `FILES`. */
  env: Env
}

export const homeNumberOf = (workspaceId: number): number => Math.floor(workspaceId / WORKSPACES_PER_HOME)

const DEFAULT_HOMES = '0:default:DB:FILES'

const homesByEnv = new WeakMap<Env, readonly Home[]>()

/** All homes, in the order of `HOMES`. The bindings of a home know all homes too. */
export function listHomes(env: Env): readonly Home[] {
  const known = homesByEnv.get(env)
  if (known) return known
  const homes = parseHomes(env)
  for (const each of [env, ...homes.map((home) => home.env)]) homesByEnv.set(each, homes)
  return homes
}

const HOME_PATTERN = /^(\d{1,4}):([a-z][a-z0-9-]*):(DB\w*)(?::(FILES\w*))?$/

function parseHomes(env: Env): Home[] {
  const entries = (env.HOMES || DEFAULT_HOMES).split(/\s+/).filter(Boolean)
  const homes = entries.map((entry) => {
    const [, number, name = '', database = '', bucket = 'FILES'] = HOME_PATTERN.exec(entry) ?? []
    const { [database]: DB, [bucket]: FILES } = env as unknown as Record<string, never>
    if (number === undefined || Number(number) > MAX_HOME_NUMBER || !DB || !FILES)
      throw homesError(`HOMES names "${entry}". Name each home as number:name:DATABASE_BINDING:BUCKET_BINDING.`)
    return { number: Number(number), name, DB, FILES }
  })
  if (new Set(homes.map(({ number }) => number)).size < homes.length)
    throw homesError('HOMES names a number twice. Give each home a number of its own.')
  if (homes.length > 1) for (const { DB } of homes) fenceDatabase(DB)
  return homes.map(({ number, name, DB, FILES }) => ({ number, name, env: { ...env, DB, FILES } }))
}

const homesError = (message: string) => new ApiError('not_configured', message, { headers: { 'Retry-After': '60' } })

const homeByMovedWorkspace = new Map<number, number>()
const MAX_REMEMBERED_MOVES = 10_000

/** Remembers where a workspace is that is not in the home of its id. */
export function rememberMove(workspaceId: number, home: number): void {
  if (homeByMovedWorkspace.size >= MAX_REMEMBERED_MOVES) homeByMovedWorkspace.clear()
  homeByMovedWorkspace.set(workspaceId, home)
}

/** The home of a workspace, as far as this isolate knows. */
export function homeOf(env: Env, workspaceId: number): Home {
  const homes = listHomes(env)
  const number = homeByMovedWorkspace.get(workspaceId) ?? homeNumberOf(workspaceId)
  const home = homes.find((home) => home.number === number)
  if (home) return home
  throw homesError(`The workspace is in home ${number}, which HOMES does not name. Add the home to HOMES.`)
}
