import type { Context } from 'hono'
import { endCommittedArrivals } from '../db/client/arrival'
import { askGuards } from '../db/client/ask-guards'
import { BATCH_TIMEOUTS_MS, withTimeout } from '../db/client/batch'
import { type Database, openDatabase, openStore, type Store } from '../db/client/client'
import { homeOfDatabase, WorkspaceMoved } from '../db/client/fence'
import type { DatabaseOptions } from '../db/client/options'
import type { Guard } from '../db/client/refuse'
import type { Statement } from '../db/sql/statement'
import type { Env, HomeEnv } from '../env'
import { type Home, homeOf, listHomes, listOtherHomes, rememberMove } from '../homes'
import { ApiError } from '../text/errors'
import type { AppEnv } from './response'

export const homeEnvOf = (c: Context<AppEnv>, workspaceId: number): HomeEnv => homeOf(c.env, workspaceId).env

/** Repeats the work in the home of the workspace if the workspace has moved. A refused batch has changed nothing. */
export async function repeatAfterMove<T>(workspaceId: number, work: () => Promise<T>): Promise<T> {
  for (const named = new Set<number>(); ; )
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof WorkspaceMoved) || named.has(cause.home)) throw cause
      named.add(cause.home)
      rememberMove(workspaceId, cause.home)
    }
}

/** For a workspace that moved on while the request followed it. The next request follows further. */
export async function followFurther(
  env: Env,
  workspaceId: number | undefined,
  cause: WorkspaceMoved,
): Promise<ApiError> {
  if (workspaceId !== undefined) {
    // An invocation that was killed directly after the commit leaves two homes that refer to each other. The cron ends
    // the arrival too, within a minute.
    const [asked, named] = [homeOf(env, workspaceId).number, cause.home]
    const [one, other] = listHomes(env).filter(({ number }) => number === asked || number === named)
    if (one && other) await endCommittedArrivals(workspaceId, [openHome(one), openHome(other)])
    rememberMove(workspaceId, named)
  }
  return new ApiError('temporarily_unavailable', 'This workspace has moved to another region. Repeat the request.', {
    ...{ headers: { 'Retry-After': '1' }, cause },
  })
}

const openHome = ({ env: { DB } }: Home): Store => openStore(DB, Date.now())

type Batch = Store['batch']

// A home on another continent answers within this time, so a person is offered the workspaces of all homes. A home that
// hangs delays a lookup that another home has answered by no more than this.
const LATE_HOME_GRACE_MS = 1_500

/** Rows of all homes in the order of `HOMES`, statement by statement. A home that fails or is late hides no row of the others. */
async function askEveryHome(stores: readonly Store[], statements: readonly Statement[]): Promise<unknown[][]> {
  const answers: (unknown[][] | undefined)[] = []
  const failures: unknown[] = []
  let showFound = () => {}
  const isFound = new Promise<void>((resolve) => {
    showFound = resolve
  })
  const ask = async (store: Store, place: number) => {
    try {
      const rows: unknown[][] = await withTimeout(BATCH_TIMEOUTS_MS.read, store.batch(null, ...statements))
      answers[place] = rows
      if (rows.some(({ length }) => length > 0)) showFound()
    } catch (cause) {
      failures.push(cause)
    }
  }
  await Promise.race([Promise.all(stores.map(ask)), isFound.then(() => scheduler.wait(LATE_HOME_GRACE_MS))])
  const rows = statements.map((_, n) => answers.flatMap((answer) => answer?.[n] ?? []))
  if (failures.length && rows.every(({ length }) => length === 0)) throw failures[0]
  return rows
}

/** A store of all homes. A batch of a workspace goes to its home, and a batch without a workspace to every home. */
export function openStoreOfHomes(env: Env, open: (d1: D1Database) => Store): Store {
  const homes = listHomes(env)
  const [first, ...others] = homes
  if (first && !others.length) return open(first.env.DB)
  const batch = (workspaceId: number | null, ...statements: readonly Statement[]) =>
    workspaceId === null
      ? askEveryHome(
          homes.map((home) => open(home.env.DB)),
          statements,
        )
      : repeatAfterMove(workspaceId, () => open(homeOf(env, workspaceId).env.DB).batch(workspaceId, ...statements))
  return { batch: batch as Batch }
}

/** The database of the caller's workspace, wherever the workspace is. */
export function openDatabaseOfHome(env: Env, options: Omit<DatabaseOptions, 'd1'>): Database {
  const { actor } = options
  const open = () => openDatabase({ ...options, d1: homeOf(env, actor.subscriptionId).env.DB })
  const db = open()
  if (listHomes(env).length === 1) return db
  const repeat = <T>(ask: (db: Database) => Promise<T>) => repeatAfterMove(actor.subscriptionId, () => ask(open()))
  return {
    products: db.products,
    atTime: (now) => openDatabaseOfHome(env, { ...options, now }),
    asImport: (importRun) => openDatabaseOfHome(env, { ...options, importRun }),
    authorize: (guards) => repeat((db) => db.authorize(guards)),
    readPrimary: (...statements) => repeat((db) => db.readPrimary(...statements)),
    read: (...statements) => repeat((db) => db.read(...statements)),
    write: (write) => repeat((db) => db.write(write)),
  }
}

/**
 * Asks the other homes about names that are unique in the service; the batch of the write asks the own home. Two homes
 * that take the same name within a moment do not see each other, and lookups find the first home of `HOMES`.
 */
export async function askOtherHomes(env: Env, workspaceId: number, guards: readonly Guard[]): Promise<void> {
  const others = listOtherHomes(env, workspaceId)
  await Promise.all(others.map((home) => askGuards(openHome(home), workspaceId, guards)))
}

// D1 knows its own bookmarks only. The home stands before the bookmark, except for the first home.
const HOME_OF_BOOKMARK_PATTERN = /^(?:(\d{1,4}):)?([0-9a-f-]+)$/

export interface SentBookmark {
  bookmark?: string | undefined
  /** The caller has seen another home. The primary knows whether the workspace has moved. */
  isForeign: boolean
}

export function readBookmark(c: Context<AppEnv>, workspaceId: number): SentBookmark {
  const [, home = '0', bookmark] = HOME_OF_BOOKMARK_PATTERN.exec(c.req.header('x-d1-bookmark') ?? '') ?? []
  if (bookmark === undefined) return { isForeign: false }
  const isForeign = Number(home) !== homeOfDatabase(homeOf(c.env, workspaceId).env.DB)
  return isForeign ? { isForeign } : { isForeign, bookmark }
}

export const showBookmark = ({ home, bookmark }: { home: number; bookmark: string }): string =>
  home === 0 ? bookmark : `${home}:${bookmark}`
