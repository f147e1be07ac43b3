import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row: the number of this home, and the range from which its tables take ids. */
export const home = sqliteTable(
  'home',
  { number: integer().notNull(), idRange: integer('id_range').notNull() },
  (t) => [primaryKey({ columns: [t.number] })],
)

/** `leaving`: reads only. `moved`: in the other home. `arriving`: not yet here. `requested`, `failed`: here. */
export type MoveState = 'requested' | 'leaving' | 'moved' | 'arriving' | 'failed'

export const workspaceMoves = sqliteTable(
  'workspace_moves',
  {
    workspaceId: integer('workspace_id').notNull(),
    state: text().$type<MoveState>().notNull(),
    home: integer().notNull(),
    step: text().notNull().default('prepare'),
    progress: text().notNull().default('{}'),
    claim: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at'),
    problem: text(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    movedAt: integer('moved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId] }),
    index('workspace_moves_due').on(t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
  ],
)
