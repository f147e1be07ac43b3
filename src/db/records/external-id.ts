import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Guard, guard } from '../client/refuse'
import { makeStorageGuard } from '../client/storage'
import { emitEvents } from '../sql/events'
import { returning } from '../sql/returning'
import { inline, param, type Statement, type Values } from '../sql/statement'
import type { AnyRecord } from './record'

export interface ExternalIdKey {
  source: string
  externalId: string
}

interface TakenGuardOptions {
  record: Pick<AnyRecord, 'table' | 'columns'>
  noun: string
  idName: 'externalId' | 'external_id'
  /** Records that keep other records from the id. */
  holders: SQL
  /** The record to which a body gives the id. */
  own?: SQL
}

/** Refuses a body whose `source` and id belong to another record. */
export function makeExternalIdGuards({
  record: { table, columns },
  noun,
  idName,
  holders,
  own,
}: TakenGuardOptions): (values: Values, body: object) => Guard[] {
  const id = sql`${param(`=${idName}`)}`
  const isOther = own ? sql`AND ${columns.id} <> ${own}` : sql``
  const taken = guard<Values>(
    sql`${inline(`conflict:Another ${noun} has the id "`)} || ${id} || '" of the source "' || ${param('=source')}
      || '". Modify the other record, or send another id.'`,
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${holders} AND ${columns.source} = ${param('=source')}
      AND ${columns.externalId} = ${id} ${isOther})`,
  )
  return (values, body) => {
    const { source, [idName]: externalId } = body as Record<string, string | null | undefined>
    return source == null ? [] : [taken({ ...values, '=source': source, [`=${idName}`]: externalId })]
  }
}

/** Parts of a write that creates the record of a foreign id, or modifies the present record. */
export function makeUpsertParts(record: AnyRecord, id: SQL = record.id) {
  const isMissing = sql`(${id}) IS NULL`
  const growth = makeStorageGuard(isMissing)
  return {
    isMissing,
    growth,
    whereMissing: sql`WHERE ${isMissing}`,
    returningId: returning<{ id: number }>({ id: record.idColumn }, sql`FROM ${record.table as SQLiteTable}`)({}),
    /** Must stand directly after the insert, because the statement reads `changes()`. */
    emitCreated: (source = record.eventSource) =>
      emitEvents(
        `${record.resource}.created` as 'persona.created',
        source,
        sql`${record.from} WHERE ${record.byKey} AND changes() > 0`,
      ),
  }
}

/** Whether the insert of an upsert has written a row. */
export function hasInserted(
  results: readonly (readonly unknown[])[] | undefined,
  statements: readonly Statement[],
  insertion: Statement,
): boolean {
  return (results?.[statements.indexOf(insertion)]?.length ?? 0) > 0
}
