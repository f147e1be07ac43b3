import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Store } from '../../../db/client/client'
import { erasedAddresses, erasures } from '../../../db/schema/erasures'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { isInThisHome } from '../../../db/sql/fence'
import { primaryKeyColumns } from '../../../db/sql/retention'
import { caller, inline, insertInto, makeLazy, param, statement, type Values } from '../../../db/sql/statement'
import { ERASURE_STEPS, type ErasureStep } from './steps'

// Rows per batch, which reads up to three times as many.
const ROWS_PER_SLICE = 5_000
// Outlasts an invocation, so that the cron does not repeat the work of a running invocation.
const ERASURE_LEASE_MS = inline(120_000)
// A mail provider that is down keeps a message for up to three days.
const BUSY_RETRY_MS = inline(300_000)

export interface ErasureKey {
  subscriptionId: number
  memberId: number
}

interface ErasureRow {
  erasedAt: number
  step: number
  position: string | null
  person: string
}

export interface Erasure extends ErasureKey, Omit<ErasureRow, 'person'> {
  email: string
  firstName: string
  lastName: string
}

type MemberValue = { memberId: number }

const erasureMatchesParams = sql`${erasures.subscriptionId} = ${caller.subscription} AND ${erasures.userId} = ${param('memberId')}`

const updateLease = statement<
  never,
  MemberValue
>(sql`UPDATE ${erasures} SET next_attempt_at = ${caller.now} + ${ERASURE_LEASE_MS}
  WHERE ${erasureMatchesParams} AND ${erasures.nextAttemptAt} IS NOT NULL`)
const selectErasure = statement<
  ErasureRow,
  MemberValue
>(sql`SELECT ${erasures.erasedAt} AS "erasedAt", ${erasures.step} AS "step",
    ${erasures.position} AS "position", ${erasures.person} AS "person"
  FROM ${erasures} WHERE ${erasureMatchesParams} AND ${erasures.person} IS NOT NULL`)

/** Undefined if the erasure is complete. */
export async function claimErasure(
  store: Store,
  { subscriptionId, memberId }: ErasureKey,
): Promise<Erasure | undefined> {
  const [, [row]] = await store.batch(subscriptionId, updateLease({ memberId }), selectErasure({ memberId }))
  if (!row) return undefined
  const { person, ...rest } = row
  return { subscriptionId, memberId, ...rest, ...(JSON.parse(person) as Pick<Erasure, 'email'>) } as Erasure
}

const columnNames = (columns: readonly SQLiteColumn[]) =>
  sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  )

/** The position is JSON that SQL writes and reads, because JavaScript would round places of the log. */
const readPosition = (key: readonly SQLiteColumn[]) =>
  sql.join(
    key.map((_, n) => sql`${param('after')} ->> ${inline(n)}`),
    sql`, `,
  )

// Below all values of the key: ids begin with 1, and texts are not empty.
const startOf = (column: SQLiteColumn): string | number => (column.getSQLType() === 'text' ? '' : -1)

function createStepStatements({
  table,
  key,
  index,
  within,
  hasPersonalData,
  changes,
  isBusy,
  size = ROWS_PER_SLICE,
  start,
}: ErasureStep) {
  const { subscriptionId } = getTableColumns(table) as Record<string, SQLiteColumn>
  const hint = index ? sql`INDEXED BY ${sql.identifier(index)}` : start ? sql`NOT INDEXED` : sql``
  const columns = columnNames(key)
  const range = sql`${table} ${hint} WHERE ${subscriptionId} = ${caller.subscription}
    ${within ? sql`AND ${within}` : sql``} AND (${columns}) > (${readPosition(key)})`
  const end = sql`ORDER BY ${columns} LIMIT ${inline(size)}`
  const stop = sql`(SELECT json_array(${columns}) FROM ${range} ORDER BY ${columns} LIMIT 1 OFFSET ${inline(size - 1)})`
  const busy = isBusy
    ? sql`EXISTS (SELECT 1 FROM ${table} WHERE (${primaryKeyColumns(table)}) IN (SELECT ${primaryKeyColumns(table)} FROM ${range} ${end}) AND ${isBusy})`
    : sql`false`
  const progress = statement<{ step: number; position: string | null }, Values>(sql`UPDATE ${erasures} SET
      step = iif(reached.busy OR reached.stop IS NOT NULL, ${erasures.step}, ${erasures.step} + 1),
      position = iif(reached.busy, ${erasures.position}, reached.stop),
      next_attempt_at = ${caller.now} + iif(reached.busy, ${BUSY_RETRY_MS}, ${ERASURE_LEASE_MS})
    FROM (SELECT ${busy} AS busy, ${stop} AS stop) reached
    WHERE ${erasureMatchesParams} AND ${erasures.step} = ${param('step')} AND ${erasures.position} IS ${param('position')}
    RETURNING step AS "step", position AS "position"`)
  if (!hasPersonalData) return { progress, erase: [] }
  const rows = sql`(${primaryKeyColumns(table)}) IN (SELECT ${primaryKeyColumns(table)} FROM ${range} ${end})
    AND ${hasPersonalData}`
  const isFree = isBusy ? sql`AND NOT ${isBusy}` : sql``
  const erase = statement<never, Values>(
    changes
      ? sql`UPDATE ${table} SET ${changes} WHERE ${rows} ${isFree}`
      : sql`DELETE FROM ${table} WHERE ${rows} ${isFree}`,
  )
  return { progress, erase: [erase] }
}

const listStepStatements = makeLazy(() => ERASURE_STEPS.map(createStepStatements))

/**
 * Erases the next slice, in a transaction with the progress. Returns undefined if the erasure waits for other work, or
 * another invocation has written the slice.
 */
export async function eraseSlice(store: Store, erasure: Erasure): Promise<Erasure | undefined> {
  const { subscriptionId, ...values } = erasure
  const [chosen, step] = [listStepStatements()[erasure.step], ERASURE_STEPS[erasure.step]]
  if (!chosen || !step) throw new Error(`The erasure has no step ${erasure.step}`)
  const start = step.start?.(subscriptionId) ?? JSON.stringify(step.key.map(startOf))
  const bound: Values = { ...values, after: erasure.position ?? start }
  // The progress comes first, because the statement after it can delete the rows of the slice.
  const [[progress]] = await store.batch(
    subscriptionId,
    chosen.progress(bound),
    ...chosen.erase.map((make) => make(bound)),
  )
  if (!progress || (progress.step === erasure.step && progress.position === erasure.position)) return undefined
  return { ...erasure, ...progress }
}

/** The tables come first: no event with the address moves to the archive any more. */
export const areTablesDone = ({ step }: Erasure): boolean => step === ERASURE_STEPS.length
export const isLastStepDone = ({ step }: Erasure): boolean => step > ERASURE_STEPS.length

type ArchiveProgress = { memberId: number; step: number; position: string | null }
const updateArchiveProgress = statement<never, ArchiveProgress>(sql`UPDATE ${erasures}
  SET step = ${param('step')}, position = ${param('position')}, next_attempt_at = ${caller.now} + ${ERASURE_LEASE_MS}
  WHERE ${erasureMatchesParams} AND ${erasures.nextAttemptAt} IS NOT NULL`)

/** `object` is undefined at the end of the archive. */
export async function advanceInArchive(store: Store, erasure: Erasure, object: string | undefined): Promise<Erasure> {
  const { subscriptionId, memberId, step } = erasure
  const progress =
    object === undefined ? { step: step + 1, position: null } : { step, position: JSON.stringify([object]) }
  await store.batch(subscriptionId, updateArchiveProgress({ memberId, ...progress }))
  return { ...erasure, ...progress }
}

// An address that returned meanwhile has a suppression.
const insertErasedAddress = statement<never, { hash: string; email: string }>(
  insertInto(
    erasedAddresses,
    { subscriptionId: caller.subscription, hash: param('hash') },
    sql`WHERE NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
      AND ${suppressions.email} = ${param('email')} AND ${suppressions.segmentId} = 0) ON CONFLICT DO NOTHING`,
  ),
)
const endErasure = statement<
  never,
  MemberValue
>(sql`UPDATE ${erasures} SET person = NULL, position = NULL, next_attempt_at = NULL
  WHERE ${erasureMatchesParams}`)

export async function finishErasure(store: Store, { subscriptionId, memberId, email }: Erasure, hash: string) {
  await store.batch(subscriptionId, insertErasedAddress({ hash, email }), endErasure({ memberId }))
}

const MAX_ERASURES_PER_CRON = inline(50)

const selectDueErasures =
  statement<ErasureKey>(sql`SELECT ${erasures.subscriptionId} AS "subscriptionId", ${erasures.userId} AS "memberId"
  FROM ${erasures} WHERE ${erasures.nextAttemptAt} IS NOT NULL AND ${erasures.nextAttemptAt} <= ${caller.now}
    AND ${isInThisHome(erasures.subscriptionId)}
  ORDER BY ${erasures.nextAttemptAt} LIMIT ${MAX_ERASURES_PER_CRON}`)

export const listDueErasures = async (store: Store): Promise<ErasureKey[]> =>
  (await store.batch(null, selectDueErasures({})))[0]
