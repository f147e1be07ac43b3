import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { dayNumberOf, endOfDay, type WorkspaceQuotas } from '../../db/client/quota'
import { apiKeys, subscriptions, users, writtenRows } from '../../db/schema/tenancy'
import { isCallerKey } from '../../db/sql/access'
import { computedValue, json, moment, withDefault } from '../../db/sql/field'
import { limitedProductsField } from '../../db/sql/limits'
import { leavesOf, makeRowConverter, selectListOf } from '../../db/sql/selection'
import { param, statement } from '../../db/sql/statement'
import { countedMailings } from '../../people/mail/statements'
import { unauthorizedError } from '../../text/errors'
import { toIso } from '../../text/moments'

const leavesOfMe = leavesOf({
  workspace: { id: subscriptions.id, name: subscriptions.name, eraseAt: moment(subscriptions.eraseAt) },
  user: {
    id: apiKeys.userId,
    email: withDefault(users.email, "''"),
    firstName: withDefault(users.firstName, "''"),
    lastName: withDefault(users.lastName, "''"),
    role: withDefault(users.role, "''"),
  },
  scopes: json<string[]>(apiKeys.scopes),
  products: limitedProductsField(apiKeys.products),
  expiresAt: moment(apiKeys.expiresAt),
  written: computedValue<number>(sql`iif(${writtenRows.day} >= ${param('day')}, ${writtenRows.written}, 0)`),
  bytes: computedValue<number>(sql`coalesce(${writtenRows.bytes}, 0)`),
  mailings: computedValue<number>(countedMailings.count),
  mailingsEnd: computedValue<number | null>(countedMailings.nextEnd),
})

const selectCallerProfile = statement<
  Record<string, unknown>,
  { day: number; mailingLimit: number }
>(sql`SELECT ${selectListOf(leavesOfMe)} FROM ${apiKeys}
  CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${apiKeys.subscriptionId}
  LEFT JOIN ${users} ON ${users.id} = ${apiKeys.userId} AND ${users.deletedAt} IS NULL
  LEFT JOIN ${writtenRows} ON ${writtenRows.subscriptionId} = ${apiKeys.subscriptionId} WHERE ${isCallerKey}`)

const showLimit = (limit: number, used: unknown, resetsAt: unknown) =>
  limit > 0 ? { limit, used, resetsAt } : { limit: null, used: null, resetsAt: null }

interface CallerLimits {
  quotas: WorkspaceQuotas
  mailingsPerHour: number
  unitsPerMinute: Readonly<Record<string, number>>
  now: number
}

const convertMeRow = makeRowConverter(leavesOfMe)

export async function getMe(db: Database, { quotas, mailingsPerHour, unitsPerMinute, now }: CallerLimits) {
  const [[row]] = await db.read(selectCallerProfile({ day: dayNumberOf(now), mailingLimit: mailingsPerHour }))
  if (!row) throw unauthorizedError('This API key is not active. Use another key.')
  const { written, bytes, mailings, mailingsEnd, ...me } = convertMeRow(row)
  const perMinute = Object.entries(unitsPerMinute).map(([name, limit]) => [name, showLimit(limit, null, null)])
  return {
    ...me,
    limits: {
      rowsPerDay: showLimit(quotas.rowsPerDay, written, toIso(endOfDay(now))),
      bytes: showLimit(quotas.bytes, bytes, null),
      mailingsPerHour: showLimit(mailingsPerHour, mailings, mailingsEnd === null ? null : toIso(Number(mailingsEnd))),
      ...Object.fromEntries(perMinute),
    },
  }
}
