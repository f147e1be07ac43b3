import { type SQL, sql } from 'drizzle-orm'
import { type Guard, param, type Values } from '../sql/statement'
import { homeOfDatabase } from './fence'
import { bytesUsedUp, makeBytesQuotaValues, type WorkspaceQuotas } from './quota'
import { guard } from './refuse'

/*
 * D1 states the size of the database in each answer. The isolate remembers the size, so that a refusal needs no round
 * trip; a new isolate learns the size from its first answer.
 */

// The largest database of D1.
const DEFAULT_DATABASE_BYTES = 10_000_000_000
const NEARLY_FULL_SHARE = 0.8
const FULL_SHARE = 0.95
// An isolate that only refuses writes sees no smaller size. After this time, the isolate asks the database again.
const REMEMBERED_SIZE_TTL_MS = 60_000

const lastSizeByHome = new Map<number, { bytes: number; seenAt: number }>()

export const rememberDatabaseSize = (d1: D1Database, bytes: number): void =>
  void lastSizeByHome.set(homeOfDatabase(d1), { bytes, seenAt: Date.now() })

/** Size at which the database counts as full; 0 means unlimited. */
export const readDatabaseBytes = ({ DATABASE_BYTES: set }: { DATABASE_BYTES?: string }): number =>
  /^\d{1,12}$/.test(set ?? '') ? Number(set) : DEFAULT_DATABASE_BYTES

export function rememberedSize(d1: D1Database): number {
  const last = lastSizeByHome.get(homeOfDatabase(d1))
  return last && Date.now() - last.seenAt < REMEMBERED_SIZE_TTL_MS ? last.bytes : 0
}

export const isFull = (bytes: number, limit: number): boolean => limit > 0 && bytes >= FULL_SHARE * limit

export const isDatabaseFull = (d1: D1Database, limit: number): boolean => isFull(rememberedSize(d1), limit)

export const isNearlyFull = (bytes: number, limit: number): boolean => limit > 0 && bytes >= NEARLY_FULL_SHARE * limit

/** A write that stores new records, or does so while `isNew` holds. */
export const makeStorageGuard = (isNew: SQL = sql`true`) => ({
  databaseFull: guard('storage_full', isNew),
  bytesUsedUp: guard<Values>(sql`${param('@bytesUsedUp')}`, sql`${isNew} AND ${bytesUsedUp}`),
})

export const ANY_STORAGE_GUARD = makeStorageGuard()

export type StorageGuard = ReturnType<typeof makeStorageGuard>

interface StorageLimits {
  d1: D1Database
  databaseBytes: number
  quotas: WorkspaceQuotas
  estimatedRows: number
}

export const listStorageGuards = (
  growth: StorageGuard,
  { d1, databaseBytes, quotas, estimatedRows }: StorageLimits,
): readonly Guard[] => [
  ...(isDatabaseFull(d1, databaseBytes) ? [growth.databaseFull({})] : []),
  ...(quotas.bytes > 0 ? [growth.bytesUsedUp(makeBytesQuotaValues(quotas.bytes, estimatedRows))] : []),
]
