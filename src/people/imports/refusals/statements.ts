import { sql } from 'drizzle-orm'
import { importRefusals } from '../../../db/schema/imports'
import { users } from '../../../db/schema/tenancy'
import { caller, insertInto, param, statement } from '../../../db/sql/statement'
import type { ImportSliceValues } from '../../../workspace/imports/bulk'
import { runIdOfBatch } from '../../../workspace/imports/fields'
import { fromBoundImportRows } from '../../../workspace/imports/statements'
import { importedEmail, importedRefusal } from '../row-values'

/** Also known people whom the run leaves unchanged. */
export const insertRefusals = statement<never, ImportSliceValues>(
  insertInto(
    importRefusals,
    { subscriptionId: caller.subscription, userId: users.id, importId: runIdOfBatch },
    sql`FROM ${fromBoundImportRows} CROSS JOIN ${users} ON ${users.subscriptionId} = ${caller.subscription}
      AND ${users.email} = ${importedEmail} AND ${users.deletedAt} IS NULL WHERE ${importedRefusal} = 1 ON CONFLICT DO NOTHING`,
  ),
)

export const deleteRefusals = sql`DELETE FROM ${importRefusals}
  WHERE ${importRefusals.subscriptionId} = ${caller.subscription} AND ${importRefusals.importId} = ${param('importId')}`
