import { NEXT_WORKSPACE_ID } from '../../src/db/sql/home-ids.ts'
import { type DatabaseLocation, runSql, sqlLiteral, UserProblem } from '../wrangler.ts'

/** Creates a workspace with its owner, and returns the id. */
export async function makeWorkspace(
  name: string,
  email: string,
  where: DatabaseLocation,
  now: number,
): Promise<number> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UserProblem('A new workspace needs --email ADDRESS, the address of the owner.')
  const [[workspace]] = await runSql<[[{ id: number }]]>(
    [
      `INSERT INTO subscriptions (id, name, created_at)
       SELECT ${NEXT_WORKSPACE_ID}, ${sqlLiteral(name)}, ${now} RETURNING id`,
    ],
    where,
  )
  await runSql(
    [
      `INSERT INTO users (subscription_id, email, role, created_at, updated_at)
       VALUES (${workspace.id}, ${sqlLiteral(email.trim().toLowerCase())}, 'owner', ${now}, ${now})`,
    ],
    where,
  )
  console.error(`Workspace ${workspace.id} "${name}" created.`)
  return workspace.id
}
