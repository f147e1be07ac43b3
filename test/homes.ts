import { env } from 'cloudflare:workers'
import { openHome } from '../src/db/client/home'
import { createWorkspace, type Workspace } from './factories'
import { migrateDatabase } from './migrate'

export const EU_NUMBER = 1

/** `HOMES` of a service with the two homes of the tests. */
export const TWO_HOMES = `0:default:DB:FILES ${EU_NUMBER}:eu:DB_EU:FILES_EU`

/** Bookmarks name their home, except for home 0. */
export const BOOKMARK_PREFIX = env.HOMES ? `${EU_NUMBER}:` : ''

/** With `TWO_HOMES` in its environment, a run has all workspaces in home 1, and an empty home 0 beside it. */
export async function openHomesOfRun(): Promise<void> {
  if (!env.HOMES) return
  await migrateDatabase(env.DB_EU)
  await openHome(env.DB, EU_NUMBER)
  await openHome(env.DB_EU, 0)
}

/** Opens both homes, and returns the bindings of a service with both. */
export async function openTwoHomes() {
  await migrateDatabase(env.DB_EU)
  await openHome(env.DB, 0)
  await openHome(env.DB_EU, EU_NUMBER)
  return { ...env, HOMES: TWO_HOMES }
}

/** Creates a workspace in home 1. `row` of the workspace inserts into home 0. */
export async function createEuWorkspace(): Promise<Workspace> {
  const { DB } = env
  Object.assign(env, { DB: env.DB_EU })
  try {
    return await createWorkspace()
  } finally {
    Object.assign(env, { DB })
  }
}
