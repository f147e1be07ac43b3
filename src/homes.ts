import { fenceDatabase } from './db/client/fence'
import type { Env, HomeEnv } from './env'
import { homeNumberOf, type ListedHome, parseHomeList } from './home-list'
import { notConfiguredError } from './text/errors'

/*
 * A home is a database that holds whole workspaces, with the bucket of their files. The id of a workspace names the home
 * in which the workspace was created, so a request finds the database without a lookup. A moved workspace keeps its id:
 * the first request of an isolate asks the old home, whose row names the new home, and the isolate remembers the new home.
 */

export interface Home {
  number: number
  /** Region or jurisdiction, like `default` or `eu`. */
  name: string
  env: HomeEnv
}

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
  if (!first) throw notConfiguredError('HOMES')
  return first
}

function parseHomes(env: Env): Home[] {
  const bindings = env as unknown as Record<string, never>
  const homes = readHomeList(env.HOMES).map(({ number, name, database, bucket }) => {
    const { [database]: DB, [bucket]: FILES } = bindings
    if (!DB || !FILES) throw notConfiguredError(DB ? bucket : database)
    return { number, name, DB, FILES }
  })
  if (homes.length > 1) for (const { DB, number } of homes) fenceDatabase(DB, number)
  return homes.map(({ number, name, DB, FILES }) => ({ number, name, env: { ...env, DB, FILES } }))
}

function readHomeList(text: string | undefined): ListedHome[] {
  try {
    return parseHomeList(text)
  } catch (cause) {
    throw notConfiguredError('HOMES', cause)
  }
}

const homeByMovedWorkspace = new Map<number, number>()
const MAX_REMEMBERED_MOVES = 10_000

/** Remembers where a workspace is that is not in the home of its id. */
export function rememberMove(workspaceId: number, home: number): void {
  if (homeByMovedWorkspace.size >= MAX_REMEMBERED_MOVES) homeByMovedWorkspace.clear()
  homeByMovedWorkspace.set(workspaceId, home)
}

export const hasHome = (env: Env, workspaceId: number): boolean =>
  listHomes(env).some(({ number }) => number === homeNumberOf(workspaceId))

/** The home of a workspace, as far as this isolate knows. */
export function homeOf(env: Env, workspaceId: number): Home {
  const homes = listHomes(env)
  const number = homeByMovedWorkspace.get(workspaceId) ?? homeNumberOf(workspaceId)
  const home = homes.find((home) => home.number === number)
  if (home) return home
  throw notConfiguredError(
    'HOMES',
    new Error(`Workspace ${workspaceId} is in home ${number}, which HOMES does not name.`),
  )
}

/** The homes without the workspace. */
export function listOtherHomes(env: Env, workspaceId: number): Home[] {
  const own = homeOf(env, workspaceId)
  return listHomes(env).filter((home) => home !== own)
}
