import { WORKSPACE_BITS } from './db/sql/home-ids.ts'

// Imports nothing else from this project, because the scripts run this file on Node.

/** Ids of the workspaces that a home can create: id = home × 2^20 + n. */
export const WORKSPACES_PER_HOME = 2 ** WORKSPACE_BITS

/** The id of a workspace stays below 2^31, because the log's keys shift it by 32 bits. */
const MAX_HOME_NUMBER = 2_047

export const homeNumberOf = (workspaceId: number): number => Math.floor(workspaceId / WORKSPACES_PER_HOME)

/** The first id of a home belongs to no team. It names the home in messages, and owns the rows that reserve ids. */
export const reservedWorkspaceOf = (home: number): number => home * WORKSPACES_PER_HOME

export interface ListedHome {
  number: number
  /** Region or jurisdiction, like `default` or `eu`. */
  name: string
  /** Bindings of wrangler.toml. */
  database: string
  bucket: string
}

const ONLY_HOME = '0:default:DB:FILES'
const HOME_PATTERN = /^(\d{1,4}):([a-z][a-z0-9-]*):(DB\w*)(?::(FILES\w*))?$/

/** Parses the setting `HOMES`. Without a bucket of its own, a home uses `FILES`. Throws an error that names the mistake. */
export function parseHomeList(text: string | undefined): ListedHome[] {
  const homes = (text?.trim() || ONLY_HOME).split(/\s+/).map((entry) => {
    const [, number, name = '', database = '', bucket = 'FILES'] = HOME_PATTERN.exec(entry) ?? []
    if (number === undefined || Number(number) > MAX_HOME_NUMBER)
      throw new Error(`HOMES: "${entry}" is not like 1:eu:DB_EU:FILES_EU`)
    return { number: Number(number), name, database, bucket }
  })
  for (const member of ['number', 'name', 'database'] as const)
    if (new Set(homes.map((home) => home[member])).size < homes.length)
      throw new Error(`HOMES: two homes have the same ${member}`)
  return homes
}
