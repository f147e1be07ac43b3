import { type SQL, sql } from 'drizzle-orm'
import { updateWhere } from '../../db/records/change'
import { type Key, record } from '../../db/records/record'
import { apiKeys } from '../../db/schema/tenancy'
import { callerHasEveryScope } from '../../db/sql/access'
import { moment } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'

const sessionKeyColumns = { sessionId: apiKeys.id }
export type SessionKey = Key<typeof sessionKeyColumns>

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

const isCallerSession = sql`${session.notDeleted} AND ${apiKeys.jti} = ${caller.key}`
export const endCallerSession = endSessions(isCallerSession)
export const returningCallerSession = session.returningWhere(isCallerSession)

export const endSessionsOfUser = (user: SQL) => endSessions(sql`${session.notDeleted} AND ${apiKeys.userId} = ${user}`)
