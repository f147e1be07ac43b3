import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets } from '../../db/schema/assets'
import { imports } from '../../db/schema/imports'

type OwnerTable = SQLiteTable & { subscriptionId: SQLiteColumn; objectKey: SQLiteColumn }

interface ObjectKind {
  /** Part of the key between the workspace id and the random id. */
  prefix: string
  /** Table of the owning records, with an index on both columns. Bytes without an owning record are deleted. */
  ownerTable: OwnerTable
}

/** Kinds of objects in R2. The sweep leaves objects of unlisted kinds alone. */
export const OBJECTS = {
  asset: { prefix: '', ownerTable: assets },
  importFile: { prefix: 'imports/', ownerTable: imports },
} as const satisfies Record<string, ObjectKind>

type KindName = keyof typeof OBJECTS

export const newObjectKey = (kind: KindName, subscriptionId: number): string =>
  `${subscriptionId}/${OBJECTS[kind].prefix}${crypto.randomUUID()}`

const KEY_PATTERN = /^([1-9]\d{0,15})\/([a-z-]+\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the kind and the workspace from an R2 key; undefined for an unlisted kind. */
export function readObjectKey(key: string): { kind: KindName; subscriptionId: number } | undefined {
  const [, subscriptionId, prefix = ''] = KEY_PATTERN.exec(key) ?? []
  const [kind] = Object.entries(OBJECTS).find(([, one]) => one.prefix === prefix) ?? []
  return subscriptionId && kind ? { kind: kind as KindName, subscriptionId: Number(subscriptionId) } : undefined
}
