import { sql } from 'drizzle-orm'
import { type Key, record } from '../../db/records/record'
import { assets } from '../../db/schema/assets'
import { changelogEntries } from '../../db/schema/changelog'
import { products } from '../../db/schema/tenancy'
import { enumField, type Field, json, linkedName, longText, moment } from '../../db/sql/field'
import { caller } from '../../db/sql/statement'
import type { NotifyChoice } from '../../people/notices/schema'
import type { ChangelogStatus } from './schema'
import { CHANGELOG_LINKS, linkedKeys } from './statements'

const changelogKeyColumns = { changelog_external_key: changelogEntries.externalKey }
export type ChangelogEntryKey = Key<typeof changelogKeyColumns>

/** A removed image stays the cover, hidden until the image is restored. */
const idOfLiveCover = sql`(SELECT ${assets.id} FROM ${assets} WHERE ${assets.subscriptionId} = ${caller.subscription}
  AND ${assets.id} = ${changelogEntries.coverId} AND ${assets.deletedAt} IS NULL)`
const coverField: Field<number | null, number | null, number | null> = {
  sql: idOfLiveCover,
  json: () => idOfLiveCover,
  column: changelogEntries.coverId,
  hidesRemoved: true,
}

export const changelogEntry = record('changelog_entry', {
  table: changelogEntries,
  scope: { product: changelogEntries.productId, shared: true },
  key: changelogKeyColumns,
  fields: {
    id: changelogEntries.id,
    externalKey: changelogEntries.externalKey,
    title: changelogEntries.title,
    content: longText(changelogEntries.content),
    labels: json<string[]>(changelogEntries.labels),
    cover: coverField,
    product: linkedName(changelogEntries.productId, products.externalKey),
    status: enumField<ChangelogStatus>(changelogEntries.status),
    notify: enumField<NotifyChoice>(changelogEntries.notify),
    publishAt: moment(changelogEntries.publishAt),
    publishedAt: moment(changelogEntries.publishedAt),
    source: changelogEntries.source,
    externalId: changelogEntries.externalId,
    createdAt: moment(changelogEntries.createdAt),
    updatedAt: moment(changelogEntries.updatedAt),
  },
  detail: { ideas: linkedKeys(CHANGELOG_LINKS.ideas), versions: linkedKeys(CHANGELOG_LINKS.versions) },
})
