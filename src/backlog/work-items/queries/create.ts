import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../../db/access'
import type { Answer } from '../../../db/answer'
import { inserts } from '../../../db/change'
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

/** What no body names. */
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
        // Its children are its data, and it is told before them.
        ...(adopted.length ? [retold({})] : []),
      ],
      answer: answer({}),
    })
    return rows[0]
  }
}

const newEpic = answered(epic, epic.newest)
const insertEpic = inserts(epic, CreateEpic, {
  values: given(epic),
  except: ['userStories', 'features'],
  returns: newEpic({}),
})
const makeEpic = creation(epic, newEpic)

export const createEpic = (db: Database, body: z.output<typeof CreateEpic>) => makeEpic(db, insertEpic(body), body)

const insertFeature = inserts(feature, CreateFeature, { values: given(feature), except: ['userStories'] })
const makeFeature = creation(feature, answered(feature, feature.newest))

export const createFeature = async (db: Database, body: z.output<typeof CreateFeature>) =>
  feature.item(await makeFeature(db, insertFeature(body), body))

const newStory = answered(story, story.newest)
const insertStory = inserts(story, CreateUserStory, {
  values: {
    ...given(story),
    epicId: sql`CASE WHEN ${param('featureId')} IS NULL THEN ${param('epicId')} ELSE ${epicOf(sql`${param('featureId')}`)} END`,
    featureId: sql`${param('featureId')}`,
  },
  except: ['epicId', 'featureId', 'type'],
  returns: newStory({}),
})
const makeStory = creation(story, newStory)

export const createUserStory = (db: Database, body: z.output<typeof CreateUserStory>) => {
  const parents = { epicId: body.epicId || null, featureId: body.featureId || null }
  return makeStory(db, insertStory(body, parents), body)
}
