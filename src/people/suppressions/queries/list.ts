import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { makeExportReader } from '../../../db/records/export'
import { returningDone } from '../../../db/records/lifecycle'
import { makeListReader } from '../../../db/records/list'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { equals, equalsAny, namesRecord, unindexed } from '../../../db/sql/filter'
import { referenceTo } from '../../../db/sql/references'
import { caller, directlyAfter, insertInto, param, statement, type Values } from '../../../db/sql/statement'
import { type CreateSuppression, ListSuppressions } from '../schema'
import { exportedSuppression, markStoppedAgain, type SuppressionKey, suppression } from '../statements'

const suppressionIsOfAddress = sql`${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = ${param('email')} AND ${suppressions.segmentId} = ${param('segmentId')}`

const insertSuppression = statement<never, Values>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      segmentId: param('segmentId'),
      reason: sql`'manual'`,
      createdAt: caller.now,
    },
    sql`WHERE NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressionIsOfAddress})`,
  ),
)

const markImported = statement<never, Values>(
  markStoppedAgain(sql`SELECT ${suppressions.id} FROM ${suppressions} WHERE ${suppressionIsOfAddress}`),
)

// Must directly follow the insertion, because changes() counts the insertion.
const emitCreated = suppression.emit('created', sql`${suppression.justInserted} AND changes() = 1`)

const suppressionIsNew = sql`${suppressions.createdAt} = ${caller.now}`
const returningSuppression = suppression.returningWhere<{ isNew: 0 | 1 }>(suppressionIsOfAddress, {
  isNew: suppressionIsNew,
})

export async function createSuppression(db: Database, { email, segmentId }: z.output<typeof CreateSuppression>) {
  const values = { email, segmentId: segmentId ?? 0 }
  const inserted = insertSuppression(values)
  const references = referenceTo('segment', '/segmentId', segmentId)
  const { rows } = await db.write({
    references,
    statements: [markImported(values), inserted, directlyAfter(inserted, emitCreated(values))],
    returning: returningSuppression(values),
  })
  const [{ isNew, ...row }] = rows
  return { data: suppression.toReply([row]).data, isNew: isNew === 1 }
}

export const getSuppression = suppression.get

export const listSuppressions = makeListReader(suppression, ListSuppressions, {
  sorts: { createdAt: suppressions.createdAt },
  filters: {
    email: equals(suppressions.email),
    segmentId: namesRecord('segment', unindexed(equals(suppressions.segmentId))),
    reason: unindexed(equalsAny(suppressions.reason)),
  },
}).page

export const exportSuppressions = makeExportReader(exportedSuppression, suppressions.createdAt)

const emitDeleted = suppression.emit('deleted', suppression.byKey)
const deleteSuppression = statement<never, SuppressionKey>(sql`DELETE FROM ${suppressions} WHERE ${suppression.byKey}`)

export const removeSuppression = (db: Database, key: SuppressionKey, ifMatch: string | null) =>
  db.write({
    guards: suppression.writeGuards(key, ifMatch),
    statements: [emitDeleted(key), deleteSuppression(key)],
    returning: returningDone({}),
  })
