import { type SQL, sql } from 'drizzle-orm'
import { emitEventsOf } from '../../../db/records/set-events'
import { assets, attachments } from '../../../db/schema/assets'
import { feedbackItems } from '../../../db/schema/feedback'
import { lastTakenKey } from '../../../db/sql/numbering'
import { caller, insertInto, param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { asset, type StoredFile } from '../../../workspace/assets/fields'

const storedFiles = sql`json_each(${param('storedFiles')}) f`
const isStoredFile = sql`${assets.subscriptionId} = ${caller.subscription}
  AND ${assets.objectKey} IN (SELECT f.value ->> 'objectKey' FROM ${storedFiles})`

/** Inserts files of an item and emits their events. `isItem` selects the item. */
function makeFileStatements(isItem: SQL): (values: Values) => Statement<never>[] {
  const item = sql`${feedbackItems.subscriptionId} = ${caller.subscription} AND ${isItem}`
  const statements = [
    insertInto(
      assets,
      {
        subscriptionId: caller.subscription,
        productId: feedbackItems.productId,
        userId: caller.user,
        objectKey: sql`f.value ->> 'objectKey'`,
        name: sql`f.value ->> 'name'`,
        size: sql`f.value ->> 'size'`,
        mime: sql`f.value ->> 'mime'`,
        sha256: sql`f.value ->> 'sha256'`,
        usedAt: sql`'feedback'`,
        artifactId: feedbackItems.id,
        createdAt: caller.now,
        updatedAt: caller.now,
      },
      sql`FROM ${feedbackItems} CROSS JOIN ${storedFiles} WHERE ${item} ORDER BY f.key`,
    ),
    emitEventsOf(
      'created',
      asset,
      sql`SELECT ${assets.id} AS id FROM ${assets} WHERE ${isStoredFile} ORDER BY ${assets.id}`,
    ),
    insertInto(
      attachments,
      {
        subscriptionId: caller.subscription,
        kind: sql`'feedback'`,
        holderId: feedbackItems.id,
        assetId: assets.id,
      },
      sql`FROM ${feedbackItems} CROSS JOIN ${assets} WHERE ${item} AND ${isStoredFile}`,
    ),
  ].map((source) => statement<never, Values>(source))
  return (values) => statements.map((make) => make(values))
}

const bindFiles = (files: readonly StoredFile[]) => ({ storedFiles: JSON.stringify(files) })

const insertFilesOfNewItem = makeFileStatements(sql`${feedbackItems.externalKey} = ${lastTakenKey('IDEA')}`)

/** Follow the insert of the item. */
export const listFileStatements = (files: readonly StoredFile[]): Statement<never>[] =>
  files.length ? insertFilesOfNewItem(bindFiles(files)) : []
