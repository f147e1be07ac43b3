import { type SQL, sql } from 'drizzle-orm'
import { updateWhere } from '../../db/records/change'
import { type Key, record } from '../../db/records/record'
import { apiKeys } from '../../db/schema/tenancy'
import { callerHasEveryScope } from '../../db/sql/access'
import { type Field, moment } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'

const sessionKeyColumns = { sessionId: apiKeys.id }
export type SessionKey = Key<typeof sessionKeyColumns>

const isCurrent = sql`${apiKeys.jti} = ${caller.key}`
/** Readers of an event have other sessions. */
const currentField: Field<number, boolean, never> = {
  sql: isCurrent,
  show: (stored) => stored === 1,
  json: () => sql`json('false')`,
}

const SESSION_DECLARATION = {
  table: apiKeys,
  scope: 'workspace',
  key: sessionKeyColumns,
  discriminator: sql`AND ${apiKeys.kind} = 'session'`,
  fields: {
    id: apiKeys.id,
    name: apiKeys.name,
    userId: apiKeys.userId,
    createdAt: moment(apiKeys.createdAt),
    expiresAt: moment(apiKeys.expiresAt),
    lastUsedAt: moment(apiKeys.lastUsedAt),
    revokedAt: moment(apiKeys.revokedAt),
    current: currentField,
  },
} as const

export const session = record('session', SESSION_DECLARATION)

/** A person sees the own sessions. */
export const visibleSession = record('session', {
  ...SESSION_DECLARATION,
  discriminator: sql`AND ${apiKeys.kind} = 'session' AND (${apiKeys.userId} = ${caller.user} OR ${callerHasEveryScope})`,
})

const endSessions = (which: SQL) =>
  updateWhere(
    session,
    sql`${which} AND (${apiKeys.revokedAt} IS NULL OR ${apiKeys.revokedAt} > ${caller.now}) AND ${apiKeys.expiresAt} > ${caller.now}`,
    { revokedAt: sql`${caller.now}` },
    { happening: 'revoked' },
  )

export const endSessionByKey = endSessions(visibleSession.byKey)

const isCallerSession = sql`${session.notDeleted} AND ${isCurrent}`
export const endCallerSession = endSessions(isCallerSession)
export const returningCallerSession = session.returningWhere(isCallerSession)

export const endSessionsOfUser = (user: SQL) => endSessions(sql`${session.notDeleted} AND ${apiKeys.userId} = ${user}`)
