import { sql } from 'drizzle-orm'
import { completeUpdatedEvents, emitEventsOf } from '../../../db/records/set-events'
import { changelogEntries } from '../../../db/schema/changelog'
import { importRows } from '../../../db/schema/imports'
import { lastTakenNumber, takeNumbers } from '../../../db/sql/numbering'
import { caller, insertInto, statements } from '../../../db/sql/statement'
import type { ImportStatements } from '../../../workspace/imports/bulk'
import {
  createImportUndo,
  createImportUpsert,
  fromBoundRowsWithJournal,
  type ImportUpsert,
  isCreatedByBatch,
  isJournalRowOfSlice,
  type LookupScope,
  RUN_LOOKUP_SCOPE,
  selectIdsOfSlice,
} from '../../../workspace/imports/statements'
import { changelogEntry } from '../fields'
import * as imported from './fields'
import { linksDiffer, oldLinks, replaceImportedLinks, restoreLinks } from './statements'

const entryIsKnown = ({ product, limited }: LookupScope) => sql`k.deleted_at IS NULL
  AND (NOT ${limited} OR k.product_id = ${product}) AND NOT ${isCreatedByBatch(sql`k.id`)}`
const selectKnownEntryId = (place: LookupScope) => sql`coalesce(
  (SELECT k.id FROM ${changelogEntries} k WHERE k.subscription_id = ${caller.subscription}
    AND k.external_key = ${imported.importedKey} AND ${entryIsKnown(place)}),
  (SELECT min(k.id) FROM ${changelogEntries} k WHERE ${imported.hasImportedId(sql`k`)} AND ${entryIsKnown(place)}))`

const entryUpsert: ImportUpsert = {
  table: changelogEntries,
  record: changelogEntry,
  joins: (place) => sql`LEFT JOIN ${changelogEntries} ON ${changelogEntries.id} = ${selectKnownEntryId(place)}`,
  newValues: Object.fromEntries([
    ...[changelogEntries.title, changelogEntries.content, changelogEntries.labels].map((column) => [
      column.name,
      { column, value: sql`coalesce(${imported.importedBodyValue(column.name)}, ${column})` },
    ]),
    ...(
      [
        [changelogEntries.source, imported.importedSource],
        [changelogEntries.externalId, imported.importedExternalId],
      ] as const
    ).map(([column, value]) => [
      column.name,
      { column, value: sql`iif(${imported.takesImportedId}, ${value}, ${column})` },
    ]),
  ]),
  oldValues: oldLinks,
  differs: linksDiffer,
  refusals: (place) => [
    {
      when: sql`${imported.importedProduct} IS NOT NULL AND ${imported.selectProductId(place)} IS NULL`,
      field: 'product',
      value: imported.importedProduct,
      reason: 'No product of the key has this external key. Create the product, or map the column to null.',
    },
  ],
  preview: imported.previewEntry,
}
const { journal, update, evaluate } = createImportUpsert(entryUpsert)

const journalEntries = statements([journal])
const takeEntryNumbers = takeNumbers(
  'CL',
  sql`(SELECT count(*) FROM ${importRows} WHERE ${isJournalRowOfSlice('created')})`,
)

const insertEntries = insertInto(
  changelogEntries,
  {
    id: importRows.recordId,
    subscriptionId: caller.subscription,
    productId: imported.productOfNewEntry(RUN_LOOKUP_SCOPE),
    externalKey: sql`'CL-' || (${lastTakenNumber('CL')} - count(*) OVER () + row_number() OVER (ORDER BY ${importRows.row}))`,
    title: imported.importedBodyValue('title'),
    content: imported.contentOfNewEntry,
    labels: imported.labelsOfNewEntry,
    status: imported.statusOfNewEntry,
    publishAt: imported.publishAtOfNewEntry,
    publishedAt: imported.publishedAtOfNewEntry,
    announcedAt: imported.announcedAtOfNewEntry,
    notify: imported.notifyOfNewEntry,
    source: imported.valueIfIdIsFree(imported.importedSource),
    externalId: imported.valueIfIdIsFree(imported.importedExternalId),
    createdAt: imported.createdAtOfNewEntry,
    updatedAt: caller.now,
  },
  sql`FROM ${fromBoundRowsWithJournal('created')}`,
)

const writeEntries = statements([
  emitEventsOf('updated', changelogEntry, selectIdsOfSlice('updated')),
  update,
  insertEntries,
  ...replaceImportedLinks,
  completeUpdatedEvents(changelogEntry, selectIdsOfSlice('updated')),
  emitEventsOf('created', changelogEntry, selectIdsOfSlice('created')),
])

const { restoredRecords, statements: createEntryUndo } = createImportUndo('changelog', entryUpsert)

export const changelogImportStatements: ImportStatements = {
  write: (slice) => [...journalEntries(slice), takeEntryNumbers(slice), ...writeEntries(slice)],
  undo: statements(createEntryUndo({ noun: 'entry', beforeRestore: restoreLinks(restoredRecords) })),
  evaluate,
}
