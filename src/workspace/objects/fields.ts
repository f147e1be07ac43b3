import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets } from '../../db/schema/assets'
import { imports } from '../../db/schema/imports'

type OwnerTable = SQLiteTable & { subscriptionId: SQLiteColumn; objectKey: SQLiteColumn }

interface ObjectKind {
  prefix: string
  ownerTable: OwnerTable
}

/** The sweep leaves objects of unlisted kinds alone. */
export const OBJECTS = {
  asset: { prefix: '', ownerTable: assets },
  importFile: { prefix: 'imports/', ownerTable: imports },
} as const satisfies Record<string, ObjectKind>

type KindName = keyof typeof OBJECTS

export const newObjectKey = (kind: KindName, subscriptionId: number): string =>
  `${subscriptionId}/${OBJECTS[kind].prefix}${crypto.randomUUID()}`

const KEY_PATTERN = /^([1-9]\d{0,15})\/([a-z-]+\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function readObjectKey(key: string): { kind: KindName; subscriptionId: number } | undefined {
  const [, subscriptionId, prefix = ''] = KEY_PATTERN.exec(key) ?? []
  const [kind] = Object.entries(OBJECTS).find(([, one]) => one.prefix === prefix) ?? []
  return subscriptionId && kind ? { kind: kind as KindName, subscriptionId: Number(subscriptionId) } : undefined
}
