import { sql } from 'drizzle-orm'
import { apiKeys, log, users } from '../../db/schema/tenancy'
import { caller, columnList, type SelectedRow } from '../../db/sql/statement'

export const joinEventPerson = sql`LEFT JOIN ${users} ON ${users.id} = ${log.personId}
  AND ${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL`
export const eventPersonColumns = sql`coalesce(${users.firstName}, '') AS "firstName",
  coalesce(${users.lastName}, '') AS "lastName", coalesce(${users.email}, '') AS "email"`

export const joinEventKey = sql`LEFT JOIN ${apiKeys} k ON k.subscription_id = ${caller.subscription}
  AND k.jti = ${log.actorKey}`
export const eventKeyColumns = sql`k.id AS "keyId", k.name AS "keyName"`

export const EVENT_COLUMNS = [
  ...(['id', 'type', 'actorUserId', 'actorKey', 'origin', 'productId', 'resourceKey', 'createdAt'] as const),
] as const
const ARCHIVED_EVENT_COLUMNS = [...EVENT_COLUMNS, 'data', 'previous', 'cascade', 'personId', 'hops'] as const

/** `data` and `previous` are JSON with placeholders. */
export type ArchivedEvent = SelectedRow<typeof log, (typeof ARCHIVED_EVENT_COLUMNS)[number]>
export const archivedEventColumns = columnList(log, ARCHIVED_EVENT_COLUMNS)
