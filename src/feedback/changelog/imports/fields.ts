import { type SQL, sql } from 'drizzle-orm'
import { changelogEntries } from '../../../db/schema/changelog'
import { products } from '../../../db/schema/tenancy'
import { computedList, computedValue } from '../../../db/sql/field'
import { caller } from '../../../db/sql/statement'
import { selectPreview } from '../../../workspace/imports/preview/statements'
import { DRY_RUN_LOOKUP_SCOPE, type LookupScope, storedValueAt } from '../../../workspace/imports/statements'
import { changelogEntry } from '../fields'
import { IMPORTED_LINKS, selectNewKeys } from './statements'

// Indexes into the array made by `storedValues` in importing.ts.
export const [importedKey, importedProduct] = [storedValueAt(2), storedValueAt(4)]
const STORED_BODY_INDEX = 3
export const importedBodyValue = (name: string) => sql.raw(`(p.value ->> '$[${STORED_BODY_INDEX}].${name}')`)
export const [importedSource, importedExternalId] = [importedBodyValue('source'), importedBodyValue('external_id')]

export const hasImportedId = (entry: SQL) => sql`${entry}.subscription_id = ${caller.subscription}
  AND ${entry}.source = ${importedSource} AND ${entry}.external_id = ${importedExternalId} AND ${entry}.deleted_at IS NULL`

/** An import gives an id only to an entry without an id, and takes the id from no other entry. */
const idIsFree = sql`NOT EXISTS (SELECT 1 FROM ${changelogEntries} h WHERE ${hasImportedId(sql`h`)})`
export const takesImportedId = sql`(${changelogEntries.externalId} IS NULL AND ${importedExternalId} IS NOT NULL AND ${idIsFree})`
export const valueIfIdIsFree = (value: SQL) => sql`iif(${idIsFree}, ${value}, NULL)`

export const selectProductId = ({ product, limited }: LookupScope) => sql`(SELECT named.id FROM ${products} named
  WHERE named.subscription_id = ${caller.subscription} AND named.external_key = ${importedProduct}
    AND named.deleted_at IS NULL AND (NOT ${limited} OR named.id = ${product}))`
export const productOfNewEntry = (place: LookupScope) => sql`coalesce(${selectProductId(place)}, ${place.product})`

const importedStatus = importedBodyValue('status')
const importedAt = importedBodyValue('at')

/** A time that has come means a publication, also of a scheduled entry: the clock of this service would mail about it. */
export const statusOfNewEntry = sql`CASE WHEN ${importedStatus} = 'draft' THEN 'draft' WHEN ${importedAt} > ${caller.now} THEN 'scheduled'
  WHEN ${importedAt} IS NOT NULL OR ${importedStatus} = 'published' THEN 'published' ELSE 'draft' END`
const valueOfStatus = (status: SQL, value: SQL) => sql`CASE WHEN ${statusOfNewEntry} = ${status} THEN ${value} END`
export const publishAtOfNewEntry = valueOfStatus(sql`'scheduled'`, importedAt)
export const publishedAtOfNewEntry = valueOfStatus(sql`'published'`, sql`coalesce(${importedAt}, ${caller.now})`)
/** Nobody gets a mail about an entry that was published elsewhere. */
export const announcedAtOfNewEntry = valueOfStatus(sql`'published'`, sql`${caller.now}`)
export const notifyOfNewEntry = sql`coalesce(${importedBodyValue('notify')}, 'later')`
export const createdAtOfNewEntry = sql`min(coalesce(${importedBodyValue('created_at')}, ${caller.now}), ${caller.now})`
export const contentOfNewEntry = sql`coalesce(${importedBodyValue('content')}, '')`
export const labelsOfNewEntry = sql`coalesce(${importedBodyValue('labels')}, '[]')`

const isNewEntry = sql`${changelogEntries.id} IS NULL`
const newOr = (column: SQL | typeof changelogEntries.status, value: SQL) => sql`iif(${isNewEntry}, ${value}, ${column})`
const { title, content, labels, status, notify, publishAt, publishedAt, createdAt, source, externalId } =
  changelogEntry.fields

export const previewEntry = selectPreview(
  { title, content, labels, status, notify, publishAt, publishedAt, createdAt, source, externalId },
  [
    [changelogEntries.title, sql`coalesce(${importedBodyValue('title')}, ${changelogEntries.title})`],
    [changelogEntries.content, sql`coalesce(${importedBodyValue('content')}, ${changelogEntries.content}, '')`],
    [changelogEntries.labels, sql`coalesce(${importedBodyValue('labels')}, ${changelogEntries.labels}, '[]')`],
    [changelogEntries.status, newOr(changelogEntries.status, statusOfNewEntry)],
    [changelogEntries.notify, newOr(sql`${changelogEntries.notify}`, notifyOfNewEntry)],
    [changelogEntries.publishAt, newOr(sql`${changelogEntries.publishAt}`, publishAtOfNewEntry)],
    [changelogEntries.publishedAt, newOr(sql`${changelogEntries.publishedAt}`, publishedAtOfNewEntry)],
    [changelogEntries.createdAt, newOr(sql`${changelogEntries.createdAt}`, createdAtOfNewEntry)],
    ...(
      [
        [changelogEntries.source, importedSource],
        [changelogEntries.externalId, importedExternalId],
      ] as const
    ).map(([column, value]) => [column, sql`iif(${takesImportedId}, ${value}, ${column})`] as const),
  ],
  {
    externalKey: computedValue(sql`${changelogEntries.externalKey}`),
    product:
      computedValue(sql`(SELECT shown.external_key FROM ${products} shown WHERE shown.subscription_id = ${caller.subscription}
      AND shown.id = iif(${isNewEntry}, ${productOfNewEntry(DRY_RUN_LOOKUP_SCOPE)}, ${changelogEntries.productId}))`),
    ideas: computedList(selectNewKeys(IMPORTED_LINKS.ideas, DRY_RUN_LOOKUP_SCOPE)),
    versions: computedList(selectNewKeys(IMPORTED_LINKS.versions, DRY_RUN_LOOKUP_SCOPE)),
  },
)
