import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createBackgroundDeps } from '../../src/background'
import { openStore } from '../../src/db/client/client'
import { SELECT_TENANT_TABLES, type TenantColumn, type TenantTable } from '../../src/db/sql/home-ids'
import { listHomes } from '../../src/homes'
import type { QueueMessage } from '../../src/messages'
import { enqueueDueMoves, moveHandler } from '../../src/workspace/moves/handler'
import type { openTwoHomes } from '../homes'
import { insertQuietRow } from './quiet-row'

export type TwoHomes = Awaited<ReturnType<typeof openTwoHomes>>

export const requestMove = (d1: D1Database, workspaceId: number, home: number, now: number) =>
  d1
    .prepare(
      `INSERT INTO workspace_moves (workspace_id, state, home, next_attempt_at, created_at, updated_at)
        VALUES (?1, 'requested', ?2, ?3, ?3, ?3) ON CONFLICT (workspace_id) DO UPDATE SET state = 'requested',
        home = excluded.home, step = 'prepare', progress = '{}', attempts = 0, problem = NULL,
        next_attempt_at = excluded.next_attempt_at, created_at = excluded.created_at`,
    )
    .bind(workspaceId, home, now)
    .run()

export interface MoveRow {
  state: string
  home: number
  step: string
  problem: string | null
  next_attempt_at: number | null
  progress: string
}

export const readMove = (d1: D1Database, workspaceId: number) =>
  d1.prepare('SELECT * FROM workspace_moves WHERE workspace_id = ?').bind(workspaceId).first<MoveRow>()

/** A clock that the test sets forward. */
export interface Clock {
  now: number
}

function createMoveDeps(bindings: TwoHomes, clock: Clock, sent: QueueMessage[]) {
  return {
    ...createBackgroundDeps(bindings, createExecutionContext()),
    now: () => clock.now,
    connect: (call: () => Promise<void>) => call(),
    outlet: {
      sendBatch: async (messages: Iterable<{ body: QueueMessage }>) =>
        void sent.push(...Array.from(messages, ({ body }) => body)),
    },
  }
}

/** Runs the cron of the moves in all homes and handles the messages, once. Returns the number of messages. */
export async function runMoves(
  bindings: TwoHomes,
  clock: Clock,
  { messages = Number.POSITIVE_INFINITY } = {},
): Promise<number> {
  const sent: QueueMessage[] = []
  const deps = createMoveDeps(bindings, clock, sent)
  for (const home of listHomes(bindings))
    await enqueueDueMoves({ store: openStore(home.env.DB, clock.now), outlet: deps.outlet })
  let handled = 0
  for (let message = sent.shift(); message && handled < messages; message = sent.shift()) {
    handled++
    if (message.kind === 'workspace.move') await moveHandler.handle(message, deps)
  }
  return handled
}

/** Runs a move to its end, through restarts and pauses. */
export async function finishMove(bindings: TwoHomes, clock: Clock): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const open = await Promise.all(
      listHomes(bindings).map(({ env: { DB } }) =>
        DB.prepare('SELECT 1 FROM workspace_moves WHERE next_attempt_at IS NOT NULL').first(),
      ),
    )
    if (!open.some(Boolean)) return
    await runMoves(bindings, clock)
    clock.now += 61_000
  }
  throw new Error('The moves do not end')
}

export const listTables = async (d1: D1Database) =>
  (await d1.prepare(SELECT_TENANT_TABLES).all<TenantTable>()).results.map((table) => ({
    ...table,
    columns: JSON.parse(table.columns) as TenantColumn[],
  }))

/** All stored rows of a workspace, by table. */
export async function dumpWorkspace(d1: D1Database, workspaceId: number): Promise<Record<string, unknown[]>> {
  const tables = await listTables(d1)
  const rows = await d1.batch(
    tables.map(({ name, columns }) => {
      const key = columns.filter(({ pk }) => pk > 0).map((column) => `"${column.name}"`)
      const cells = columns.map((column) =>
        column.name === 'place' ? 'CAST(place AS TEXT) AS place' : `"${column.name}"`,
      )
      const tenant = name === 'subscriptions' ? 'id' : 'subscription_id'
      return d1.prepare(`SELECT ${cells} FROM "${name}" WHERE ${tenant} = ? ORDER BY ${key}`).bind(workspaceId)
    }),
  )
  return Object.fromEntries(tables.map(({ name }, n) => [name, rows[n]?.results ?? []]))
}

/** Adds a row to each table in which the workspace has none. */
export async function fillEmptyTables(workspaceId: number): Promise<void> {
  const dump = await dumpWorkspace(env.DB, workspaceId)
  const { results } = await env.DB.prepare(SELECT_TENANT_TABLES).all<TenantTable>()
  const empty = results.filter(({ name }) => !dump[name]?.length)
  await env.DB.batch(empty.map((table) => env.DB.prepare(insertQuietRow(table, workspaceId))))
}
