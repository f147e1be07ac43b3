import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { makeListReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { products, teams, users } from '../../db/schema/tenancy'
import { workItemComments, workItemForeignIds, workItemLinks, workItems } from '../../db/schema/work-items'
import { coversProduct } from '../../db/sql/access'
import { computedList, computedValue, type Shape, type ShownData } from '../../db/sql/field'
import { caller, inline } from '../../db/sql/statement'
import { callerReadsWorkspace, createExportedCommentsField } from '../../workspace/comments/fields'
import { LINK_TYPES } from '../links/schema'
import { OWN_EXPORT_SOURCE } from '../own-export'
import { epic, feature, story } from '../work-items/queries/record'
import { ExportPageQuery } from './schema'

type LinkType = (typeof LINK_TYPES)[number]

const createParentKeyField = (id: SQL) =>
  computedValue<string>(sql`coalesce((SELECT p.external_key FROM ${workItems} p
    WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id}), '')`)

const teamName = sql`(SELECT ${teams.name} FROM ${teams} WHERE ${teams.subscriptionId} = ${caller.subscription}
  AND ${teams.id} = ${workItems.teamId} AND ${teams.deletedAt} IS NULL)`
const assigneeAddresses = sql`(SELECT json_group_array(email) FROM (SELECT u.email AS email
  FROM json_each(${workItems.userIds}) a CROSS JOIN ${users} u ON u.id = a.value AND u.deleted_at IS NULL
    AND +u.subscription_id = ${caller.subscription} ORDER BY a.key))`

/** Each link once, with the item that it comes from. The order is the same after an import. */
const createLinksField = (type: LinkType) =>
  computedList<string>(sql`(SELECT json_group_array(key) FROM (SELECT o.external_key AS key FROM ${workItemLinks} l
    CROSS JOIN ${workItems} o ON o.id = l.to_id AND o.subscription_id = ${caller.subscription} AND o.deleted_at IS NULL
      AND ${coversProduct(sql`o.product_id`)}
    CROSS JOIN ${products} p ON p.id = o.product_id AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL
    WHERE l.subscription_id = ${caller.subscription} AND l.from_id = ${workItems.id} AND l.type = ${inline(type)}
    ORDER BY o.type, o.rank, o.id))`)
const linkFields = Object.fromEntries(LINK_TYPES.map((type) => [type, createLinksField(type)])) as Record<
  LinkType,
  ReturnType<typeof createLinksField>
>

interface ExternalId {
  source: string
  externalId: string
}

const exportedItemFields = {
  epicKey: createParentKeyField(sql`${workItems.epicId}`),
  featureKey: createParentKeyField(sql`${workItems.featureId}`),
  team: computedValue<string>(sql`coalesce(iif(${callerReadsWorkspace}, ${teamName}, ''), '')`),
  assignees: computedList<string>(sql`iif(${callerReadsWorkspace}, ${assigneeAddresses}, '[]')`),
  ...linkFields,
  externalIds:
    computedList<ExternalId>(sql`(SELECT json_group_array(json_object('source', source, 'externalId', foreign_id)) FROM (
    SELECT source, foreign_id FROM ${workItemForeignIds} WHERE ${workItemForeignIds.subscriptionId} = ${caller.subscription}
      AND ${workItemForeignIds.workItemId} = ${workItems.id} AND source <> ${inline(OWN_EXPORT_SOURCE)} ORDER BY source, foreign_id))`),
}

const commentsField = {
  comments: createExportedCommentsField(workItemComments, sql`${workItemComments.workItemId} = ${workItems.id}`),
}

/** Has the keys of the parents, because ids mean nothing in another workspace. */
export type ExportedItem = ShownData<typeof epic.fields> &
  ShownData<typeof exportedItemFields> &
  Partial<ShownData<typeof commentsField>>

const createPageReaders = (more: Shape) =>
  [epic, feature, story].map(({ resource, fields }) => {
    const exported = record(resource, {
      table: workItems,
      scope: 'product',
      key: { externalKey: workItems.externalKey },
      discriminator: sql`AND ${workItems.type} = ${inline(resource)}`,
      fields: { ...fields, ...exportedItemFields, ...more },
    })
    return makeListReader(exported, ExportPageQuery, { sorts: { order: workItems.rank } }).pages
  })

const READERS_WITHOUT_COMMENTS = createPageReaders({})
const READERS_WITH_COMMENTS = createPageReaders(commentsField)

export async function* exportItems(db: Database, withComments: boolean): AsyncGenerator<ExportedItem[]> {
  for (const pages of withComments ? READERS_WITH_COMMENTS : READERS_WITHOUT_COMMENTS)
    yield* pages(db, { sort: ['order'] }) as AsyncGenerator<ExportedItem[]>
}
