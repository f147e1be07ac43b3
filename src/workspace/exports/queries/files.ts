import { sql } from 'drizzle-orm'
import type { Store } from '../../../db/client/client'
import { assets } from '../../../db/schema/assets'
import { caller, columnList, inline, param, type SelectedRow, statement } from '../../../db/sql/statement'

const FILE_COLUMNS = ['id', 'name', 'objectKey'] as const
// The export reads each file of a page with a call.
const MAX_FILES_PER_PAGE = inline(20)

type ExportedFile = SelectedRow<typeof assets, (typeof FILE_COLUMNS)[number]>

const selectFiles = statement<ExportedFile, { after: string }>(sql`SELECT ${columnList(assets, FILE_COLUMNS)}
  FROM ${assets} WHERE ${assets.subscriptionId} = ${caller.subscription} AND ${assets.objectKey} > ${param('after')}
  ORDER BY ${assets.objectKey} LIMIT ${MAX_FILES_PER_PAGE}`)

/** Files after an object key, also removed files. */
export const listFiles = async (store: Store, subscriptionId: number, after: string): Promise<ExportedFile[]> =>
  (await store.batch(subscriptionId, selectFiles({ after })))[0]
