import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { type Guard, guard } from '../../db/client/refuse'
import { updateStatement, updateWhere } from '../../db/records/change'
import { hasInserted, makeUpsertParts } from '../../db/records/external-id'
import { workItemForeignIds, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import { reemitEvent } from '../../db/sql/events'
import { takeNumbers } from '../../db/sql/numbering'
import { caller, directlyAfter, inline, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { emitFollowingIdeas } from '../../feedback/following/statements'
import { MAX_ATTRIBUTES, MAX_ATTRIBUTES_BYTES } from '../../text/attributes'
import {
  bindLinks,
  buildAdoption,
  buildReplaceLinks,
  createLinkFields,
  itemIsStoryOf,
  listNamedLinks,
} from '../work-items/links/queries'
import { buildFirstAssignments, buildFurtherAssignments } from '../work-items/queries/assignments'
import { CREATE_INSERT_BY_TYPE } from '../work-items/queries/create'
import { buildDateGuards, buildFormerParentsUpdate } from '../work-items/queries/modify'
import {
  type AnyWorkItem,
  epic,
  feature,
  KEY_PREFIX_BY_TYPE,
  selectEpicIdOfFeature,
  story,
} from '../work-items/queries/record'
import { createItemTagStatements } from '../work-items/queries/tags'
import { listReferences } from '../work-items/references'
import { CreateEpic, CreateFeature, CreateUserStory } from '../work-items/schema'
import { MAX_TAGS_LENGTH } from '../work-items/tags'
import { JIRA_SOURCE, type UpsertWorkItem, type UpsertWorkItemQuery } from './schema'

export interface ForeignKey {
  source: string
  external_id: string
}

const itemIsLive = sql`AND w.product_id = ${productId} AND w.deleted_at IS NULL`
const selectItemIdOfJira = sql`(SELECT w.id FROM ${workItems} w WHERE w.jira_id = ${param('external_id')} AND w.jira_id <> '' ${itemIsLive}
  ORDER BY w.id LIMIT 1)`
const selectItemIdOfForeignKey = sql`(SELECT w.id FROM ${workItemForeignIds} CROSS JOIN ${workItems} w
    ON w.id = ${workItemForeignIds.workItemId} ${itemIsLive}
  WHERE ${workItemForeignIds.subscriptionId} = ${caller.subscription} AND ${workItemForeignIds.productId} = ${productId}
    AND ${workItemForeignIds.source} = ${param('source')} AND ${workItemForeignIds.foreignId} = ${param('external_id')})`
const selectItemId = sql`CASE ${param('source')} WHEN ${inline(JIRA_SOURCE)} THEN ${selectItemIdOfJira} ELSE ${selectItemIdOfForeignKey} END`

const createWrongTypeGuard = (type: string) =>
  guard<Values>(
    'conflict:The item has another type. Convert the item first, or send its type.',
    sql`(SELECT w.type FROM ${workItems} w WHERE w.id = ${selectItemId}) <> ${inline(type)}`,
  )

// Runs directly after the insert of the item, because the statement reads changes() and last_insert_rowid().
const storeForeignKey = statement<never, Values>(sql`INSERT INTO ${workItemForeignIds}
    (subscription_id, product_id, source, foreign_id, work_item_id)
  SELECT ${caller.subscription}, ${productId}, ${param('source')}, ${param('external_id')}, last_insert_rowid()
  WHERE changes() > 0 ON CONFLICT DO UPDATE SET work_item_id = excluded.work_item_id`)

type UpsertBody = z.output<typeof UpsertWorkItem>
type UpsertQuery = z.output<typeof UpsertWorkItemQuery>
/** Equal names have equal types in all bodies, so each statement reads the fields of its type. */
type UpdateStatementMaker = (
  key: Values,
  body: UpsertBody,
  links: ReturnType<ReturnType<typeof createLinkFields>>,
) => Statement<never>[]

const mergeAttributes = (given: SQL) => sql`json_patch(${workItems.attributes}, ${given})`

const mergeableAttributes = {
  ...story.detailFields.attributes,
  setSql: (given: SQL) => sql`iif(${param('mergesAttributes')}, ${mergeAttributes(given)}, ${given})`,
}

const missingTags = (given: SQL) =>
  sql`SELECT value FROM json_each(${given}) EXCEPT SELECT value FROM json_each(${workItems.tags})`

const addTags = (given: SQL) => sql`iif(EXISTS (${missingTags(given)}), (SELECT json_group_array(value) FROM (
  SELECT value FROM json_each(${workItems.tags}) UNION ALL SELECT value FROM (${missingTags(given)}))), ${workItems.tags})`

const expandableTags = {
  ...story.detailFields.tags,
  setSql: (given: SQL) => sql`iif(${param('addsTags')}, ${addTags(given)}, ${given})`,
}

const tooManyTags = guard<Values>(
  `validation_failed:/tags:The item would have tags of more than ${MAX_TAGS_LENGTH} characters. Remove some tags of the item.`,
  sql`(SELECT length(${addTags(sql`${param('tags')}`)}) FROM ${workItems}
    WHERE ${workItems.id} = ${selectItemId}) > ${inline(MAX_TAGS_LENGTH)}`,
)

const tooManyAttributes = guard<Values>(
  `validation_failed:/attributes:The item would have more than ${MAX_ATTRIBUTES} attributes, or more than ${MAX_ATTRIBUTES_BYTES / 1000} kB`,
  sql`EXISTS (SELECT 1 FROM (SELECT ${mergeAttributes(sql`${param('attributes')}`)} AS merged FROM ${workItems}
    WHERE ${workItems.id} = ${selectItemId}) WHERE octet_length(merged) > ${inline(MAX_ATTRIBUTES_BYTES)}
      OR (SELECT count(*) FROM json_each(merged)) > ${inline(MAX_ATTRIBUTES)})`,
)

const locateByForeignKey = <R extends AnyWorkItem>(item: R): R => {
  const addressed = sql`${item.notDeleted} AND ${workItems.id} = ${selectItemId}`
  const detailFields = { ...item.detailFields, attributes: mergeableAttributes, tags: expandableTags }
  return {
    ...item,
    detailFields,
    byKey: addressed,
    id: sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${addressed})`,
  }
}

interface UpsertWrites {
  insert(variant: Parameters<typeof CREATE_INSERT_BY_TYPE.epic>[0]): (body: UpsertBody, key: Values) => Statement<never>
  modify: UpdateStatementMaker
}

function buildUpsert(own: AnyWorkItem, { insert, modify }: UpsertWrites) {
  const item = locateByForeignKey(own)
  const { resource } = own
  const wrongType = createWrongTypeGuard(resource)
  const inOrder = buildDateGuards(item)
  const upsert = makeUpsertParts(item, selectItemId)
  const insertItem = insert({ from: upsert.whereMissing, returns: upsert.returningId })
  const take = takeNumbers(KEY_PREFIX_BY_TYPE[resource], sql`(${upsert.isMissing})`)
  const emitCreated = upsert.emitCreated(own.eventSource)
  const tags = createItemTagStatements(item.id)
  const links = createLinkFields(item)
  const raiseParents = buildFormerParentsUpdate(item)
  const assignFurther = buildFurtherAssignments(item.byKey)
  const assignFirst = buildFirstAssignments(sql`${item.byKey} AND ${workItems.createdAt} = ${caller.now}`)
  const adopt = buildAdoption(own, item.id)
  const link = buildReplaceLinks(item)
  const moveStories = updateWhere(story, itemIsStoryOf(sql`(${item.id})`), {
    epicId: selectEpicIdOfFeature(sql`${workItems.featureId}`),
  })
  const reemitEvents = (['created', 'updated'] as const).map((happening) =>
    reemitEvent(`${resource}.${happening}`, own.eventSource, item.byKey),
  )
  const emitIdeas = statement<never, Values>(emitFollowingIdeas(item.id))
  const reply = own.returningWhere(item.byKey)
  return async (db: Database, { source, external_id }: ForeignKey, body: UpsertBody, query: UpsertQuery) => {
    const [mergesAttributes, addsTags] = [query.attributes === 'merge', query.tags === 'add']
    const values = { source, external_id, mergesAttributes, addsTags, ...bindLinks(body), ...bindParents(body) }
    const attributes = mergesAttributes && body.attributes ? JSON.stringify(body.attributes) : undefined
    const insertion = insertItem(body, values)
    const [storedKey, emitted] = [storeForeignKey(values), emitCreated(values)]
    const statements: Statement[] = [
      ...(resource !== 'epic' && (values.namesEpic || values.namesFeature) ? [raiseParents(values)] : []),
      ...assignFurther(body, values),
      ...modify(values, body, links(body)),
      ...(body.progress === undefined ? [] : [emitIdeas(values)]),
      take(values),
      insertion,
      ...(source === JIRA_SOURCE
        ? [directlyAfter(insertion, emitted)]
        : [directlyAfter(insertion, storedKey), directlyAfter(storedKey, emitted)]),
      ...assignFirst(body, values),
      ...(addsTags ? tags.added(body.tags, values) : tags.replaced(body.tags, values)),
      ...(resource === 'feature' && body.epicId !== undefined ? moveStories(values) : []),
      ...adopt(body, values),
      ...link(body, values),
      ...(listNamedLinks(body).length ? reemitEvents.map((make) => make(values)) : []),
    ]
    const { rows, results } = await db.write({
      guards: [
        wrongType(values),
        ...(attributes === undefined ? [] : [tooManyAttributes({ ...values, attributes })]),
        ...(addsTags && body.tags ? [tooManyTags({ ...values, tags: body.tags })] : []),
        ...inOrder(values, body),
      ] as Guard[],
      references: listReferences(body),
      growth: upsert.growth,
      statements,
      returning: reply(values),
    })
    return { ...own.toReply(rows), isNew: hasInserted(results, statements, insertion) }
  }
}

const bindParents = ({ epicId, featureId }: UpsertBody) => ({
  namesEpic: epicId !== undefined,
  newEpic: epicId || null,
  namesFeature: featureId !== undefined,
  newFeature: featureId || null,
})

const updateEpic = updateStatement(locateByForeignKey(epic), CreateEpic, {
  except: ['userStories', 'features', 'kpis', 'files'],
})
const updateFeature = updateStatement(locateByForeignKey(feature), CreateFeature, {
  except: ['userStories', 'kpis', 'files'],
})
const updateStory = updateStatement(locateByForeignKey(story), CreateUserStory, { except: ['type', 'kpis', 'files'] })

const UPSERT_BY_TYPE = {
  epic: buildUpsert(epic, {
    insert: CREATE_INSERT_BY_TYPE.epic,
    modify: updateEpic,
  }),
  feature: buildUpsert(feature, {
    insert: CREATE_INSERT_BY_TYPE.feature,
    modify: updateFeature,
  }),
  userstory: buildUpsert(story, {
    insert: CREATE_INSERT_BY_TYPE.userstory,
    modify(key, body, links) {
      const both = key.namesEpic || key.namesFeature ? { epicId: key.newEpic, featureId: key.newFeature } : {}
      return updateStory(key, { ...body, ...both }, links)
    },
  }),
}

export function upsertWorkItem(db: Database, key: ForeignKey, body: UpsertBody, query: UpsertQuery) {
  const own = key.source === JIRA_SOURCE ? { ...body, jiraId: key.external_id } : body
  return UPSERT_BY_TYPE[body.type](db, key, own, query)
}
