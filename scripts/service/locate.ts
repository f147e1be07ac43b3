import { type ListedHome, WORKSPACES_PER_HOME } from '../../src/home-list.ts'
import { type DatabaseLocation, listDeclaredHomes, runSql, UserProblem } from '../wrangler.ts'
import { followMoves, type MoveState, movingProblem, selectMoveState } from './moving.ts'

// The reserved workspace of a home has the first id.
const SELECT_ANY_OWNER = `SELECT 1 FROM users WHERE role = 'owner' AND deleted_at IS NULL
  AND subscription_id % ${WORKSPACES_PER_HOME} > 0 LIMIT 1`

interface LocatedHome {
  name: string
  where: DatabaseLocation
}

/** The places of the databases of all homes, or of the home with the name in HOMES. */
export async function locateHomes(where: DatabaseLocation, chosen?: string | undefined): Promise<LocatedHome[]> {
  const homes = await listDeclaredHomes(where)
  const found = homes.filter(({ name }) => chosen === undefined || name === chosen)
  if (!found.length)
    throw new UserProblem(`HOMES has no home "${chosen}". It has: ${homes.map(({ name }) => name).join(', ')}`)
  return found.map(({ name, database, bucket }) => ({ name, where: { ...where, database, bucket } }))
}

/** Without a name, the first home. */
export async function locateHome(where: DatabaseLocation, name: string | undefined): Promise<DatabaseLocation> {
  const [home] = await locateHomes(where, name)
  return home?.where ?? where
}

/** The place of the only home with workspaces; without workspaces, the first home. */
export async function locateOnlyWorkspace(where: DatabaseLocation): Promise<DatabaseLocation> {
  const homes = await locateHomes(where)
  const filled: LocatedHome[] = []
  for (const home of homes.length > 1 ? homes : []) {
    const [rows] = await runSql<[object[]]>([SELECT_ANY_OWNER], home.where)
    if (rows.length) filled.push(home)
  }
  if (filled.length > 1)
    throw new UserProblem(
      `The homes ${filled.map(({ name }) => name).join(' and ')} have workspaces. Choose a workspace with --workspace ID.`,
    )
  return (filled[0] ?? homes[0])?.where ?? where
}

const locate = (where: DatabaseLocation, homes: readonly ListedHome[], number: number): DatabaseLocation => {
  const home = homes.find((home) => home.number === number)
  if (!home) throw new UserProblem(`HOMES does not name home ${number}. Add the home to HOMES.`)
  return { ...where, database: home.database, bucket: home.bucket }
}

async function findWorkspace(where: DatabaseLocation, workspace: number) {
  const homes = await listDeclaredHomes(where)
  if (homes.length === 1) return { where: locate(where, homes, homes[0]?.number ?? 0), move: undefined }
  const { number, move } = await followMoves(workspace, homes.length, async (home) => {
    const [[row]] = await runSql<[MoveState[]]>([selectMoveState(workspace)], locate(where, homes, home))
    return row
  })
  return { where: locate(where, homes, number), move }
}

/** The place of the database with the workspace, also after a move. */
export const locateWorkspace = async (where: DatabaseLocation, workspace: number): Promise<DatabaseLocation> =>
  (await findWorkspace(where, workspace)).where

/** Refuses a workspace that moves, before the command changes anything. */
export async function locateWorkspaceToWrite(where: DatabaseLocation, workspace: number): Promise<DatabaseLocation> {
  const found = await findWorkspace(where, workspace)
  if (found.move?.state === 'leaving' || found.move?.state === 'arriving') throw movingProblem(workspace)
  return found.where
}
