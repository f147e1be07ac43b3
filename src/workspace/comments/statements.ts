import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import type { Shape } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { type AnyRecord, type Key, type KeyColumns, type RecordOf, record } from '../../db/record'
import type { Guard } from '../../db/refuse'
import { caller, param, type Statement, statement, type Values } from '../../db/statement'
import { columnOf } from '../../db/within'
import type { ResourceName } from '../../resources'
import { answered, type Comments, declaredOf, type fieldsOf, staysOf } from './fields'
import type { Read } from './read'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from './schema'

type Said = Pick<ReturnType<typeof fieldsOf>, 'text' | 'isPrivate' | 'mentions'>

/** Guards and statements added to the same batch by the commented resource. */
interface Also {
  guards: Guard[]
  statements: Statement<never>[]
}

interface Commented<N extends string, H extends KeyColumns, F extends Shape> {
  table: Comments
  parameter: N
  /** The commented record and the column with the record's id. Lists use `shown`, if given, as the parent. */
  on: RecordOf<ResourceName, H, Shape, Shape>
  by: 'workItemId' | 'feedbackId'
  shown?: AnyRecord
  fields: F
  added?(key: Key<H>, body: z.output<typeof AddComment>): Also
  replied?(key: Values): Also
  changed?(key: Values): Guard[]
}

export function commentsOn<
  R extends 'comment' | 'work_item_comment',
  N extends string,
  H extends KeyColumns,
  F extends Shape & Said,
>(
  resource: R,
  { table, parameter, on, by, shown = on, fields, added, replied, changed = () => [] }: Commented<N, H, F>,
) {
  type CommentKey = { readonly [P in N]: number }
  const holder = columnOf(getTableColumns(table), by)
  const declared = { ...declaredOf(table), table, fields }
  const thread = record(resource, {
    ...declared,
    within: { parent: shown, by: holder },
    key: {},
    stays: staysOf(table),
  })
  const comment = record(resource, { ...declared, within: { below: on, by: holder }, key: { [parameter]: table.id } })
  const said: RecordOf<R, KeyColumns, Said, Record<never, never>> = comment
  const inserted = inserts(said, AddComment, { values: { [by]: on.id, userId: caller.user } })
  const answers = inserts(said, ReplyToComment, {
    values: {
      [by]: answered(table, parameter, holder),
      parentId: param(parameter),
      isPrivate: answered(table, parameter, table.isPrivate),
      userId: caller.user,
    },
  })
  const created = comment.event('created')
  const modified = modifies(said, ModifyComment)
  const { removal, restoration } = lifecycle(comment)
  const { buries, revives } = tombstones(table, parameter, holder)
  return {
    list: list(thread, ListComments, { sorts: { createdAt: table.createdAt } }).page,
    add(db: Database, key: Key<H>, { body, references }: Read<z.output<typeof AddComment>>) {
      const { guards = [], statements = [] } = added?.(key, body) ?? {}
      return comment.save(db, {
        guards: [...on.writable(key), ...guards],
        references,
        statements: [inserted(body, key), created({}), ...statements],
        answer: comment.created(),
      })
    },
    reply(db: Database, key: CommentKey, { body, references }: Read<z.output<typeof ReplyToComment>>) {
      const { guards = [], statements = [] } = replied?.(key) ?? {}
      return comment.save(db, {
        guards: [...comment.writable(key), ...guards],
        references,
        statements: [answers(body, key), created({}), ...statements],
        answer: comment.created(),
      })
    },
    get: (db: Database, key: CommentKey) => comment.get(db, key),
    modify: (
      db: Database,
      key: CommentKey,
      { body, references }: Read<z.output<typeof ModifyComment>>,
      ifMatch: string | null,
    ) =>
      comment.save(db, {
        guards: [...comment.writable(key, ifMatch), ...changed(key)],
        references,
        statements: modified(key, body),
        answer: comment.reply(key),
      }),
    remove(db: Database, key: CommentKey, ifMatch: string | null) {
      const { guards, statements, ...rest } = removal(key, ifMatch)
      return db.write({ ...rest, guards: [...guards, ...changed(key)], statements: [...statements, ...buries(key)] })
    },
    restore(db: Database, key: CommentKey) {
      const { guards, statements, ...rest } = restoration(key)
      return comment.save(db, {
        ...rest,
        guards: [...guards, ...changed(key)],
        statements: [...revives(key), ...statements],
      })
    },
  }
}

/**
 * A removed comment with replies becomes a tombstone without text. A restored reply turns removed ancestors into
 * tombstones. `key` is the path parameter of the comment, `holder` the column with the id of the commented record.
 */
function tombstones(t: Comments, key: string, holder: SQLiteColumn) {
  const tenant = sql`${t.subscriptionId} = ${caller.subscription}`
  const buried = sql`tombstone = 1, removed_text = ${t.text}, text = ''`
  const bury = statement<never, Values>(sql`UPDATE ${t} SET ${buried}
    WHERE ${t.id} = ${param(key)} AND ${tenant} AND ${t.deletedAt} = ${caller.now} AND ${t.tombstone} = 0
      AND EXISTS (SELECT 1 FROM ${t} r WHERE r.subscription_id = ${caller.subscription} AND r.parent_id = ${t.id}
        AND r.${sql.identifier(holder.name)} = ${holder}
        AND (r.deleted_at IS NULL OR r.tombstone > 0))`)
  const revive = statement<
    never,
    Values
  >(sql`UPDATE ${t} SET tombstone = 0, text = ${t.removedText}, removed_text = NULL
    WHERE ${t.id} = ${param(key)} AND ${tenant} AND ${t.deletedAt} IS NOT NULL AND ${t.tombstone} = 1`)
  const above = sql`WITH RECURSIVE above (id) AS (
    SELECT c.parent_id FROM ${t} c WHERE c.id = ${param(key)} AND c.subscription_id = ${caller.subscription}
    UNION SELECT c.parent_id FROM above CROSS JOIN ${t} c ON c.id = above.id AND c.subscription_id = ${caller.subscription}
      AND c.${sql.identifier(holder.name)} = ${answered(t, key, holder)})
    SELECT id FROM above`
  const raise = statement<never, Values>(sql`UPDATE ${t} SET ${buried}
    WHERE ${t.id} IN (${above}) AND +${tenant} AND +${holder} = ${answered(t, key, holder)} AND ${t.deletedAt} IS NOT NULL AND ${t.tombstone} = 0`)
  return {
    /** Runs after the removal, because the statement finds the comment by the removal time of the batch. */
    buries: (values: Values) => [bury(values)],
    /** Runs before the restore, because the event of the restore contains the text. */
    revives: (values: Values) => [revive(values), raise(values)],
  }
}
