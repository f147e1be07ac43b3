import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets } from '../../db/schema/assets'
import { imports } from '../../db/schema/imports'

type Owner = SQLiteTable & { subscriptionId: SQLiteColumn; objectKey: SQLiteColumn }

interface ObjectKind {
  /** Between the id of the subscription and what tells one object from the next. */
  under: string
  /** Whose records have them: bytes that none of these names are nobody's. It has an index on both columns. */
  owner: Owner
}

/** What lies in R2. Whatever has no line here is left alone by the cron. */
export const OBJECTS = {
  asset: { under: '', owner: assets },
  importFile: { under: 'imports/', owner: imports },
} as const satisfies Record<string, ObjectKind>

type KindName = keyof typeof OBJECTS

/** Where the bytes of a new record are to lie. */
export const newObjectKey = (kind: KindName, subscriptionId: number): string =>
  `${subscriptionId}/${OBJECTS[kind].under}${crypto.randomUUID()}`

const KEY = /^([1-9]\d{0,15})\/([a-z-]+\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Of what kind, and of which subscription, the object at a key is; undefined for one that is none of these. */
export function readObjectKey(key: string): { kind: KindName; subscriptionId: number } | undefined {
  const [, subscriptionId, under = ''] = KEY.exec(key) ?? []
  const [kind] = Object.entries(OBJECTS).find(([, one]) => one.under === under) ?? []
  return subscriptionId && kind ? { kind: kind as KindName, subscriptionId: Number(subscriptionId) } : undefined
}
