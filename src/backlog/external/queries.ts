import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { type Guard, guard } from '../../db/client/refuse'
import { updateStatement, updateWhere } from '../../db/records/change'
import { workItemForeignIds, workItems } from '../../db/schema/work-items'
import { productId } from '../../db/sql/access'
import { emitEvents, reemitEvent } from '../../db/sql/events'
import { takeNumbers } from '../../db/sql/numbering'
import { returning } from '../../db/sql/returning'
import { caller, directlyAfter, inline, param, type Statement, statement, type Values } from '../../db/sql/statement'
import { bindLinks, buildAdoption, isStoryOf, linksOf } from '../work-items/links/queries'
import { INSERT_BY_TYPE } from '../work-items/queries/create'
import { buildDateGuards, buildRaiseParents } from '../work-items/queries/modify'
import { type AnyWorkItem, epic, epicOf, feature, PREFIX, story } from '../work-items/queries/record'
import { tagStatementsOf } from '../work-items/queries/tags'
import { referencesOf } from '../work-items/references'
import { CreateEpic, CreateFeature, CreateUserStory } from '../work-items/schema'
import { JIRA, type UpsertWorkItem } from './schema'

export interface ForeignKey {
  source: string
  external_id: string
}

const isLiveItem = sql`AND w.product_id = ${productId} AND w.deleted_at IS NULL`
const itemIdOfJira = sql`(SELECT w.id FROM ${workItems} w WHERE w.jira_id = ${param('external_id')} AND w.jira_id <> '' ${isLiveItem}
  ORDER BY w.id LIMIT 1)`
const itemIdOfForeignKey = sql`(SELECT w.id FROM ${workItemForeignIds} CROSS JOIN ${workItems} w
    ON w.id = ${workItemForeignIds.workItemId} ${isLiveItem}
  WHERE ${workItemForeignIds.subscriptionId} = ${caller.subscription} AND ${workItemForeignIds.productId} = ${productId}
    AND ${workItemForeignIds.source} = ${param('source')} AND ${workItemForeignIds.foreignId} = ${param('external_id')})`
const itemId = sql`CASE ${param('source')} WHEN ${inline(JIRA)} THEN ${itemIdOfJira} ELSE ${itemIdOfForeignKey} END`

const refuseWrongType = (type: string) =>
  guard<Values>(
    'conflict:The item has another type. Convert the item first, or send its type.',
    sql`(SELECT w.type FROM ${workItems} w WHERE w.id = ${itemId}) <> ${inline(type)}`,
  )

// Runs directly after the insert of the item, because the statement reads changes() and last_insert_rowid().
const storeForeignKey = statement<never, Values>(sql`INSERT INTO ${workItemForeignIds}
    (subscription_id, product_id, source, foreign_id, work_item_id)
  SELECT ${caller.subscription}, ${productId}, ${param('source')}, ${param('external_id')}, last_insert_rowid()
  WHERE changes() > 0 ON CONFLICT DO UPDATE SET work_item_id = excluded.work_item_id`)

type Body = z.output<typeof UpsertWorkItem>
/** Equal names have equal types in all bodies, so each statement reads the fields of its type. */
type MakeStatements = (key: Values, body: Body, links: ReturnType<ReturnType<typeof linksOf>>) => Statement<never>[]

const locateByForeignKey = <R extends AnyWorkItem>(item: R): R => {
  const addressed = sql`${item.notDeleted} AND ${workItems.id} = ${itemId}`
  return { ...item, byKey: addressed, id: sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${addressed})` }
}

const whereMissing = sql`WHERE (${itemId}) IS NULL`
const returningId = returning<{ id: number }>({ id: workItems.id }, sql`FROM ${workItems}`)({})

interface Writes {
  insert(body: Body, key: Values): Statement<never>
  modify: MakeStatements
}

function buildUpsert(own: AnyWorkItem, { insert, modify }: Writes) {
  const item = locateByForeignKey(own)
  const { resource } = own
  const wrongType = refuseWrongType(resource)
  const inOrder = buildDateGuards(item)
  const take = takeNumbers(PREFIX[resource], sql`((${itemId}) IS NULL)`)
  const emitCreated = emitEvents(
    `${resource}.created`,
    own.eventSource,
    sql`${own.from} WHERE ${workItems.id} = last_insert_rowid() AND changes() > 0`,
  )
  const tags = tagStatementsOf(item.id)
  const links = linksOf(item)
  const raiseParents = buildRaiseParents(item)
  const adopt = buildAdoption(own, item.id)
  const moveStories = updateWhere(story, isStoryOf(sql`(${item.id})`), { epicId: epicOf(sql`${workItems.featureId}`) })
  const reemitEvents = (['created', 'updated'] as const).map((happening) =>
    reemitEvent(`${resource}.${happening}`, own.eventSource, item.byKey),
  )
  const reply = own.returningWhere(item.byKey)
  return async (db: Database, { source, external_id }: ForeignKey, body: Body) => {
    const values = { source, external_id, ...bindLinks(body), ...bindParents(body) }
    const insertion = insert(body, values)
    const [storedKey, emitted] = [storeForeignKey(values), emitCreated(values)]
    const adoptions = adopt(body, values)
    const statements: Statement[] = [
      ...(resource !== 'epic' && (values.namesEpic || values.namesFeature) ? [raiseParents(values)] : []),
      ...modify(values, body, links(body)),
      take(values),
      insertion,
      ...(source === JIRA
        ? [directlyAfter(insertion, emitted)]
        : [directlyAfter(insertion, storedKey), directlyAfter(storedKey, emitted)]),
      ...tags.replaced(body.tags, values),
      ...(resource === 'feature' && body.epicId !== undefined ? moveStories(values) : []),
      ...adoptions,
      ...(adoptions.length ? reemitEvents.map((make) => make(values)) : []),
    ]
    const { rows, results } = await db.write({
      guards: [wrongType(values), ...inOrder(values, body)] as Guard[],
      references: referencesOf(body),
      statements,
      returning: reply(values),
    })
    const isNew = (results?.[statements.indexOf(insertion)]?.length ?? 0) > 0
    return { ...own.toReply(rows), isNew }
  }
}

const bindParents = ({ epicId, featureId }: Body) => ({
  namesEpic: epicId !== undefined,
  newEpic: epicId || null,
  namesFeature: featureId !== undefined,
  newFeature: featureId || null,
})

const modifyEpic = updateStatement(locateByForeignKey(epic), CreateEpic, { except: ['userStories', 'features'] })
const modifyFeature = updateStatement(locateByForeignKey(feature), CreateFeature, { except: ['userStories'] })
const modifyStory = updateStatement(locateByForeignKey(story), CreateUserStory, { except: ['type'] })

const UPSERTS = {
  epic: buildUpsert(epic, {
    insert: INSERT_BY_TYPE.epic({ from: whereMissing, returns: returningId }),
    modify: modifyEpic,
  }),
  feature: buildUpsert(feature, {
    insert: INSERT_BY_TYPE.feature({ from: whereMissing, returns: returningId }),
    modify: modifyFeature,
  }),
  userstory: buildUpsert(story, {
    insert: INSERT_BY_TYPE.userstory({ from: whereMissing, returns: returningId }),
    modify(key, body, links) {
      const both = key.namesEpic || key.namesFeature ? { epicId: key.newEpic, featureId: key.newFeature } : {}
      return modifyStory(key, { ...body, ...both }, links)
    },
  }),
}

export function upsertWorkItem(db: Database, key: ForeignKey, body: Body) {
  return UPSERTS[body.type](db, key, key.source === JIRA ? { ...body, jiraId: key.external_id } : body)
}
