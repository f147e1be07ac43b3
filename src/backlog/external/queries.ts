import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { answer } from '../../db/answer'
import { changes, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { retells, tells } from '../../db/events'
import { takesNumbers } from '../../db/numbering'
import { type Guard, guard } from '../../db/refuse'
import { workItemForeignIds, workItems } from '../../db/schema/work-items'
import { caller, directlyAfter, inline, param, type Statement, statement, type Values } from '../../db/statement'
import { adoption, linksOf, linkValues, storiesOf } from '../work-items/links/queries'
import { inserting } from '../work-items/queries/create'
import { datesInOrder, leavingParents } from '../work-items/queries/modify'
import { type AnyWorkItem, epic, epicOf, feature, PREFIX, story } from '../work-items/queries/record'
import { tagging } from '../work-items/queries/tags'
import { references } from '../work-items/references'
import { CreateEpic, CreateFeature, CreateUserStory } from '../work-items/schema'
import { JIRA, type UpsertWorkItem } from './schema'

export interface ForeignKey {
  source: string
  external_id: string
}

const standing = sql`AND w.product_id = ${productId} AND w.deleted_at IS NULL`
const ofJira = sql`(SELECT w.id FROM ${workItems} w WHERE w.jira_id = ${param('external_id')} AND w.jira_id <> '' ${standing}
  ORDER BY w.id LIMIT 1)`
const ofOther = sql`(SELECT w.id FROM ${workItemForeignIds} CROSS JOIN ${workItems} w
    ON w.id = ${workItemForeignIds.workItemId} ${standing}
  WHERE ${workItemForeignIds.subscriptionId} = ${caller.subscription} AND ${workItemForeignIds.productId} = ${productId}
    AND ${workItemForeignIds.source} = ${param('source')} AND ${workItemForeignIds.foreignId} = ${param('external_id')})`
/** Id of the item in the path. */
const found = sql`CASE ${param('source')} WHEN ${inline(JIRA)} THEN ${ofJira} ELSE ${ofOther} END`

const otherType = (type: string) =>
  guard<Values>(
    sql`'conflict:The item is of another type. Convert it first, or send the type that it has.'`,
    sql`(SELECT w.type FROM ${workItems} w WHERE w.id = ${found}) <> ${inline(type)}`,
  )

// Runs directly after the insert of the item, because the statement reads changes() and last_insert_rowid().
const keep = statement<never, Values>(sql`INSERT INTO ${workItemForeignIds}
    (subscription_id, product_id, source, foreign_id, work_item_id)
  SELECT ${caller.subscription}, ${productId}, ${param('source')}, ${param('external_id')}, last_insert_rowid()
  WHERE changes() > 0 ON CONFLICT DO UPDATE SET work_item_id = excluded.work_item_id`)

type Body = z.output<typeof UpsertWorkItem>
/** Members of equal names have equal types in all bodies: each statement reads the members of the type. */
type Make = (key: Values, body: Body, links: ReturnType<ReturnType<typeof linksOf>>) => Statement<never>[]

const at = <R extends AnyWorkItem>(item: R): R => {
  const addressed = sql`${item.visible} AND ${workItems.id} = ${found}`
  return { ...item, addressed, id: sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${addressed})` }
}

const from = sql`WHERE (${found}) IS NULL`
const returns = answer<{ id: number }>({ id: workItems.id }, sql`FROM ${workItems}`)({})

interface Writes {
  insert(body: Body, key: Values): Statement<never>
  modify: Make
}

/** Writes of a type: an existing item is updated, a missing item is inserted. */
function upserting(own: AnyWorkItem, { insert, modify }: Writes) {
  const item = at(own)
  const { resource } = own
  const wrongType = otherType(resource)
  const inOrder = datesInOrder(item)
  const take = takesNumbers(PREFIX[resource], sql`((${found}) IS NULL)`)
  const made = tells(
    `${resource}.created`,
    own.told,
    sql`${own.from} WHERE ${workItems.id} = last_insert_rowid() AND changes() > 0`,
  )
  const tags = tagging(item.id)
  const links = linksOf(item)
  const leave = leavingParents(item)
  const adopt = adoption(own, item.id)
  const follow = changes(story, storiesOf(sql`(${item.id})`), { epicId: epicOf(sql`${workItems.featureId}`) })
  const retold = (['created', 'updated'] as const).map((happening) =>
    retells(`${resource}.${happening}`, own.told, item.addressed),
  )
  const reply = own.answering(item.addressed)
  return async (db: Database, { source, external_id }: ForeignKey, body: Body) => {
    const values = { source, external_id, ...linkValues(body), ...parentsOf(body) }
    const inserted = insert(body, values)
    const [kept, told] = [keep(values), made(values)]
    const adopted = adopt(body, values)
    const statements: Statement[] = [
      ...(resource !== 'epic' && (values.namesEpic || values.namesFeature) ? [leave(values)] : []),
      ...modify(values, body, links(body)),
      take(values),
      inserted,
      ...(source === JIRA
        ? [directlyAfter(inserted, told)]
        : [directlyAfter(inserted, kept), directlyAfter(kept, told)]),
      ...tags.replaced(body.tags, values),
      ...(resource === 'feature' && body.epicId !== undefined ? follow(values) : []),
      ...adopted,
      ...(adopted.length ? retold.map((make) => make(values)) : []),
    ]
    const { answer, rows } = await db.write({
      guards: [wrongType(values), ...inOrder(values, body)] as Guard[],
      references: references(body),
      statements,
      answer: reply(values),
    })
    const isNew = (rows?.[statements.indexOf(inserted)]?.length ?? 0) > 0
    return { ...own.replied(answer), isNew }
  }
}

const parentsOf = ({ epicId, featureId }: Body) => ({
  namesEpic: epicId !== undefined,
  newEpic: epicId || null,
  namesFeature: featureId !== undefined,
  newFeature: featureId || null,
})

const modifyEpic = modifies(at(epic), CreateEpic, { except: ['userStories', 'features'] })
const modifyFeature = modifies(at(feature), CreateFeature, { except: ['userStories'] })
const modifyStory = modifies(at(story), CreateUserStory, { except: ['type'] })

const UPSERTS = {
  epic: upserting(epic, { insert: inserting.epic({ from, returns }), modify: modifyEpic }),
  feature: upserting(feature, { insert: inserting.feature({ from, returns }), modify: modifyFeature }),
  userstory: upserting(story, {
    insert: inserting.userstory({ from, returns }),
    modify(key, body, links) {
      const both = key.namesEpic || key.namesFeature ? { epicId: key.newEpic, featureId: key.newFeature } : {}
      return modifyStory(key, { ...body, ...both }, links)
    },
  }),
}

export function upsertWorkItem(db: Database, key: ForeignKey, body: Body) {
  return UPSERTS[body.type](db, key, key.source === JIRA ? { ...body, jiraId: key.external_id } : body)
}
