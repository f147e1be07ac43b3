import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../../db/access'
import type { Answer } from '../../../db/answer'
import { type Inserted, inserts } from '../../../db/change'
import type { Database } from '../../../db/client'
import { retells, tells } from '../../../db/events'
import { currentKey, currentNumber, takeNumber } from '../../../db/numbering'
import { workItems } from '../../../db/schema/work-items'
import { inline, param, type Statement, type Values } from '../../../db/statement'
import { adoption, type Links, linkValues } from '../links/queries'
import { lastRank } from '../rank/statements'
import { references } from '../references'
import { CreateEpic, CreateFeature, CreateUserStory } from '../schema'
import { type AnyWorkItem, answered, epic, epicOf, feature, PREFIX, type ResultRow, story, toldBare } from './record'
import { tagging } from './tags'

const given = ({ resource }: AnyWorkItem) => ({
  productId,
  type: inline(resource),
  externalKey: currentKey(PREFIX[resource]),
  rank: lastRank(currentNumber(PREFIX[resource])),
})

type Body = Links & Parameters<typeof references>[0] & { tags?: string | undefined }

function creation(item: AnyWorkItem, answer: (values: Values) => Answer<ResultRow>) {
  const id = sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${item.newest})`
  const type = `${item.resource}.created` as const
  const created = tells(type, toldBare(item), sql`${item.from} WHERE ${item.newest}`)
  const retold = retells(type, item.told, item.newest)
  const adopt = adoption(item, id)
  const tags = tagging(id)
  return async (db: Database, inserted: Statement<never>, body: Body): Promise<ResultRow> => {
    const adopted = adopt(body, linkValues(body))
    const { answer: rows } = await db.write({
      references: references(body),
      statements: [
        takeNumber(PREFIX[item.resource]),
        inserted,
        ...tags.added(body.tags),
        created({}),
        ...adopted,
        // Rewrites the event, because the event is emitted before the children are attached.
        ...(adopted.length ? [retold({})] : []),
      ],
      answer: answer({}),
    })
    return rows[0]
  }
}

type More = Pick<Inserted<never>, 'from' | 'returns'>

/** Statements that insert an item, by type. A story also binds `newEpic` and `newFeature`. */
export const inserting = {
  epic: (more: More) =>
    inserts(epic, CreateEpic, { values: given(epic), except: ['userStories', 'features'], ...more }),
  feature: (more: More) =>
    inserts(feature, CreateFeature, { values: given(feature), except: ['userStories'], ...more }),
  userstory: (more: More) =>
    inserts(story, CreateUserStory, {
      values: {
        ...given(story),
        epicId: sql`CASE WHEN ${param('newFeature')} IS NULL THEN ${param('newEpic')} ELSE ${epicOf(sql`${param('newFeature')}`)} END`,
        featureId: param('newFeature'),
      },
      except: ['epicId', 'featureId', 'type'],
      ...more,
    }),
}

const newEpic = answered(epic, epic.newest)
const insertEpic = inserting.epic({ returns: newEpic({}) })
const makeEpic = creation(epic, newEpic)

export const createEpic = (db: Database, body: z.output<typeof CreateEpic>) => makeEpic(db, insertEpic(body), body)

const insertFeature = inserting.feature({})
const makeFeature = creation(feature, answered(feature, feature.newest))

export const createFeature = async (db: Database, body: z.output<typeof CreateFeature>) =>
  feature.item(await makeFeature(db, insertFeature(body), body))

const newStory = answered(story, story.newest)
const insertStory = inserting.userstory({ returns: newStory({}) })
const makeStory = creation(story, newStory)

export const createUserStory = (db: Database, body: z.output<typeof CreateUserStory>) => {
  const parents = { newEpic: body.epicId || null, newFeature: body.featureId || null }
  return makeStory(db, insertStory(body, parents), body)
}
