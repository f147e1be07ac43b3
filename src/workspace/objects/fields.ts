import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { assets } from '../../db/schema/assets'
import { exportRuns } from '../../db/schema/exports'
import { imports } from '../../db/schema/imports'

interface ObjectKind {
  prefix: string
  ownerTable: SQLiteTable & { subscriptionId: SQLiteColumn; objectKey: SQLiteColumn }
}

/** The sweep leaves objects of unlisted kinds alone. */
export const OBJECT_KINDS = {
  asset: { prefix: '', ownerTable: assets },
  importFile: { prefix: 'imports/', ownerTable: imports },
  exportFile: { prefix: 'exports/', ownerTable: exportRuns },
} as const satisfies Record<string, ObjectKind>

type ObjectKindName = keyof typeof OBJECT_KINDS

/** Begins the keys of all kinds. The archive of events has a prefix of its own. */
export const objectPrefixOf = (subscriptionId: number): string => `${subscriptionId}/`

export const makeObjectKey = (kind: ObjectKindName, subscriptionId: number): string =>
  `${objectPrefixOf(subscriptionId)}${OBJECT_KINDS[kind].prefix}${crypto.randomUUID()}`

const OBJECT_KEY_PATTERN = /^([1-9]\d{0,15})\/([a-z-]+\/)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function parseObjectKey(key: string): { kind: ObjectKindName; subscriptionId: number } | undefined {
  const [, subscriptionId, prefix = ''] = OBJECT_KEY_PATTERN.exec(key) ?? []
  const [kind] = Object.entries(OBJECT_KINDS).find(([, one]) => one.prefix === prefix) ?? []
  return subscriptionId && kind ? { kind: kind as ObjectKindName, subscriptionId: Number(subscriptionId) } : undefined
}
