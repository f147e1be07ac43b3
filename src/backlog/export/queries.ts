import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../db/client/client'
import { makeListReader } from '../../db/records/list'
import { record } from '../../db/records/record'
import { teams, users } from '../../db/schema/tenancy'
import { workItemComments, workItemForeignIds, workItems } from '../../db/schema/work-items'
import { computedList, computedValue, type Shape, type ShownData } from '../../db/sql/field'
import { caller, inline } from '../../db/sql/statement'
import { callerReadsWorkspace, createExportedCommentsField } from '../../workspace/comments/fields'
import { OWN_EXPORT_SOURCE } from '../own-export'
import { epic, feature, story } from '../work-items/queries/record'
import { ExportPageQuery } from './schema'

const createParentKeyField = (id: SQL) =>
  computedValue<string>(sql`coalesce((SELECT p.external_key FROM ${workItems} p
    WHERE p.subscription_id = ${caller.subscription} AND p.id = ${id}), '')`)

const teamName = sql`(SELECT ${teams.name} FROM ${teams} WHERE ${teams.subscriptionId} = ${caller.subscription}
  AND ${teams.id} = ${workItems.teamId} AND ${teams.deletedAt} IS NULL)`
const assigneeAddresses = sql`(SELECT json_group_array(email) FROM (SELECT u.email AS email
  FROM json_each(${workItems.userIds}) a CROSS JOIN ${users} u ON u.id = a.value AND u.deleted_at IS NULL
    AND +u.subscription_id = ${caller.subscription} ORDER BY a.key))`

interface ExternalId {
  source: string
  externalId: string
}

const exportedItemFields = {
  epicKey: createParentKeyField(sql`${workItems.epicId}`),
  featureKey: createParentKeyField(sql`${workItems.featureId}`),
  team: computedValue<string>(sql`coalesce(iif(${callerReadsWorkspace}, ${teamName}, ''), '')`),
  assignees: computedList<string>(sql`iif(${callerReadsWorkspace}, ${assigneeAddresses}, '[]')`),
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
    yield* pages(db, { sort: 'order' }) as AsyncGenerator<ExportedItem[]>
}
