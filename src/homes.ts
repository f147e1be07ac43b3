import { fenceDatabase } from './db/client/fence'
import type { Env, HomeEnv } from './env'
import { notConfiguredError } from './http/configuration'

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
  env: HomeEnv
}

export const homeNumberOf = (workspaceId: number): number => Math.floor(workspaceId / WORKSPACES_PER_HOME)

/** The first id of a home belongs to no team. It names the home in messages, and owns the rows that reserve ids. */
export const reservedWorkspaceOf = (home: number): number => home * WORKSPACES_PER_HOME

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

export function firstHomeOf(env: Env): Home {
  const [first] = listHomes(env)
  if (!first) throw homesError('the list is empty')
  return first
}

const HOME_PATTERN = /^(\d{1,4}):([a-z][a-z0-9-]*):(DB\w*)(?::(FILES\w*))?$/

function parseHomes(env: Env): Home[] {
  const entries = (env.HOMES || DEFAULT_HOMES).split(/\s+/).filter(Boolean)
  const homes = entries.map((entry) => {
    const [, number, name = '', database = '', bucket = 'FILES'] = HOME_PATTERN.exec(entry) ?? []
    if (number === undefined || Number(number) > MAX_HOME_NUMBER)
      throw homesError(`"${entry}" is not like 1:eu:DB_EU:FILES_EU`)
    const { [database]: DB, [bucket]: FILES } = env as unknown as Record<string, never>
    if (!DB || !FILES) throw notConfiguredError(DB ? bucket : database)
    return { number: Number(number), name, DB, FILES }
  })
  if (new Set(homes.map(({ number }) => number)).size < homes.length) throw homesError('two homes have the same number')
  if (homes.length > 1) for (const { DB, number } of homes) fenceDatabase(DB, number)
  return homes.map(({ number, name, DB, FILES }) => ({ number, name, env: { ...env, DB, FILES } }))
}

const homesError = (problem: string) => notConfiguredError('HOMES', new Error(`HOMES: ${problem}.`))

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
  throw homesError(`workspace ${workspaceId} is in home ${number}, which has no entry`)
}
