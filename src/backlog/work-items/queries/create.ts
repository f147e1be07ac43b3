import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type InsertOptions, insertStatement } from '../../../db/records/change'
import { workItems } from '../../../db/schema/work-items'
import { productId } from '../../../db/sql/access'
import { emitEvents, reemitEvent } from '../../../db/sql/events'
import { lastTakenKey, lastTakenNumber, takeNumber } from '../../../db/sql/numbering'
import type { Returning } from '../../../db/sql/returning'
import { inline, param, type Statement, type Values } from '../../../db/sql/statement'
import { bindLinks, buildAdoption, type Links } from '../links/queries'
import { lastRank } from '../rank/statements'
import { referencesOf } from '../references'
import { CreateEpic, CreateFeature, CreateUserStory } from '../schema'
import {
  type AnyWorkItem,
  bareEventSource,
  epic,
  epicOf,
  feature,
  PREFIX,
  type ResultRow,
  returningResult,
  story,
} from './record'
import { tagStatementsOf } from './tags'

const computedColumns = ({ resource }: AnyWorkItem) => ({
  productId,
  type: inline(resource),
  externalKey: lastTakenKey(PREFIX[resource]),
  rank: lastRank(lastTakenNumber(PREFIX[resource])),
})

type Body = Links & Parameters<typeof referencesOf>[0] & { tags?: string | undefined }

function buildCreate(item: AnyWorkItem, answer: (values: Values) => Returning<ResultRow>) {
  const id = sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${item.justInserted})`
  const type = `${item.resource}.created` as const
  const emitCreated = emitEvents(type, bareEventSource(item), sql`${item.from} WHERE ${item.justInserted}`)
  const reemitCreated = reemitEvent(type, item.eventSource, item.justInserted)
  const adopt = buildAdoption(item, id)
  const tags = tagStatementsOf(id)
  return async (db: Database, inserted: Statement<never>, body: Body): Promise<ResultRow> => {
    const adoptions = adopt(body, bindLinks(body))
    const { rows } = await db.write({
      references: referencesOf(body),
      statements: [
        takeNumber(PREFIX[item.resource]),
        inserted,
        ...tags.added(body.tags),
        emitCreated({}),
        ...adoptions,
        // Rewrites the event, because the event is emitted before the children are attached.
        ...(adoptions.length ? [reemitCreated({})] : []),
      ],
      returning: answer({}),
    })
    return rows[0]
  }
}

type InsertVariant = Pick<InsertOptions<never>, 'from' | 'returns'>

export const INSERT_BY_TYPE = {
  epic: (more: InsertVariant) =>
    insertStatement(epic, CreateEpic, { values: computedColumns(epic), except: ['userStories', 'features'], ...more }),
  feature: (more: InsertVariant) =>
    insertStatement(feature, CreateFeature, { values: computedColumns(feature), except: ['userStories'], ...more }),
  userstory: (more: InsertVariant) =>
    insertStatement(story, CreateUserStory, {
      values: {
        ...computedColumns(story),
        epicId: sql`CASE WHEN ${param('newFeature')} IS NULL THEN ${param('newEpic')} ELSE ${epicOf(sql`${param('newFeature')}`)} END`,
        featureId: param('newFeature'),
      },
      except: ['epicId', 'featureId', 'type'],
      ...more,
    }),
}

const returningNewEpic = returningResult(epic, epic.justInserted)
const insertEpic = INSERT_BY_TYPE.epic({ returns: returningNewEpic({}) })
const saveNewEpic = buildCreate(epic, returningNewEpic)

export const createEpic = (db: Database, body: z.output<typeof CreateEpic>) => saveNewEpic(db, insertEpic(body), body)

const insertFeature = INSERT_BY_TYPE.feature({})
const saveNewFeature = buildCreate(feature, returningResult(feature, feature.justInserted))

export const createFeature = async (db: Database, body: z.output<typeof CreateFeature>) =>
  feature.toItem(await saveNewFeature(db, insertFeature(body), body))

const returningNewStory = returningResult(story, story.justInserted)
const insertStory = INSERT_BY_TYPE.userstory({ returns: returningNewStory({}) })
const saveNewStory = buildCreate(story, returningNewStory)

export const createUserStory = (db: Database, body: z.output<typeof CreateUserStory>) => {
  const parents = { newEpic: body.epicId || null, newFeature: body.featureId || null }
  return saveNewStory(db, insertStory(body, parents), body)
}
