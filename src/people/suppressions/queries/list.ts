import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client'
import { equals, walking } from '../../../db/filter'
import { done } from '../../../db/lifecycle'
import { list } from '../../../db/list'
import type { Reference } from '../../../db/references'
import { suppressions } from '../../../db/schema/segments-and-mail'
import { caller, directlyAfter, insertInto, param, statement, type Values } from '../../../db/statement'
import { type CreateSuppression, ListSuppressions } from '../schema'
import { type SuppressionKey, suppression } from '../statements'

const ofAddress = sql`${suppressions.subscriptionId} = ${caller.subscription}
  AND ${suppressions.email} = ${param('email')} AND ${suppressions.segmentId} = ${param('segmentId')}`

const insert = statement<never, Values>(
  insertInto(
    suppressions,
    {
      subscriptionId: caller.subscription,
      email: param('email'),
      segmentId: param('segmentId'),
      reason: sql`'manual'`,
      createdAt: caller.now,
    },
    sql`WHERE NOT EXISTS (SELECT 1 FROM ${suppressions} WHERE ${ofAddress})`,
  ),
)

// Must directly follow the insertion, because changes() counts the insertion.
const created = suppression.event('created', sql`${suppression.newest} AND changes() = 1`)

const isNew = sql`${suppressions.createdAt} = ${caller.now}`
const saved = suppression.answering<{ isNew: 0 | 1 }>(ofAddress, { isNew })

/** Suppresses an address. Idempotent. */
export async function createSuppression(db: Database, { email, segmentId }: z.output<typeof CreateSuppression>) {
  const values = { email, segmentId: segmentId ?? 0 }
  const inserted = insert(values)
  const references: Reference[] = segmentId ? [{ kind: 'segment', path: '/segmentId', value: segmentId }] : []
  const { answer } = await db.write({
    references,
    statements: [inserted, directlyAfter(inserted, created(values))],
    answer: saved(values),
  })
  const [{ isNew, ...row }] = answer
  return { data: suppression.replied([row]).data, isNew: isNew === 1 }
}

export const getSuppression = suppression.get

export const listSuppressions = list(suppression, ListSuppressions, {
  sorts: { createdAt: suppressions.createdAt },
  filters: {
    email: equals(suppressions.email),
    segmentId: walking(equals(suppressions.segmentId)),
    reason: walking(equals(suppressions.reason)),
  },
}).page

const deleted = suppression.event('deleted', suppression.addressed)
const remove = statement<never, SuppressionKey>(sql`DELETE FROM ${suppressions} WHERE ${suppression.addressed}`)

/** Permits mail to the address again, irrevocably. */
export const removeSuppression = (db: Database, key: SuppressionKey, ifMatch: string | null) =>
  db.write({
    guards: suppression.writable(key, ifMatch),
    statements: [deleted(key), remove(key)],
    answer: done({}),
  })
