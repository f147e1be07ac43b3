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
import { bindLinks, buildAdoption, buildReplaceLinks, type ItemLinks, listNamedLinks } from '../links/queries'
import { rankOfNumber } from '../rank/statements'
import { listReferences } from '../references'
import { CreateEpic, CreateFeature, CreateUserStory } from '../schema'
import { buildFirstAssignments } from './assignments'
import {
  type AnyWorkItem,
  createBareEventSource,
  epic,
  feature,
  KEY_PREFIX_BY_TYPE,
  selectEpicIdOfFeature,
  story,
} from './record'
import { createReturningResult, type ResultRow } from './result'
import { createItemTagStatements } from './tags'

const createComputedColumns = ({ resource }: AnyWorkItem) => ({
  productId,
  type: inline(resource),
  externalKey: lastTakenKey(KEY_PREFIX_BY_TYPE[resource]),
  rank: rankOfNumber(lastTakenNumber(KEY_PREFIX_BY_TYPE[resource])),
})

type NewItemBody = ItemLinks & Parameters<typeof listReferences>[0] & { tags?: string | undefined }

function buildItemCreate(item: AnyWorkItem, answer: (values: Values) => Returning<ResultRow>) {
  const id = sql`(SELECT ${workItems.id} FROM ${workItems} WHERE ${item.justInserted})`
  const type = `${item.resource}.created` as const
  const emitCreated = emitEvents(type, createBareEventSource(item), sql`${item.from} WHERE ${item.justInserted}`)
  const reemitCreated = reemitEvent(type, item.eventSource, item.justInserted)
  const adopt = buildAdoption(item, id)
  const link = buildReplaceLinks({ ...item, id, byKey: item.justInserted })
  const tags = createItemTagStatements(id)
  const assign = buildFirstAssignments(item.justInserted)
  return async (db: Database, inserted: Statement<never>, body: NewItemBody): Promise<ResultRow> => {
    const links = bindLinks(body)
    const { rows } = await db.write({
      references: listReferences(body),
      statements: [
        takeNumber(KEY_PREFIX_BY_TYPE[item.resource]),
        inserted,
        ...tags.added(body.tags),
        emitCreated({}),
        ...assign(body),
        ...adopt(body, links),
        ...link(body, links),
        // Rewrites the event, because the event is emitted before the links exist.
        ...(listNamedLinks(body).length ? [reemitCreated({})] : []),
      ],
      returning: answer({}),
    })
    return rows[0]
  }
}

type InsertVariant = Pick<InsertOptions<never>, 'from' | 'returns'>

export const CREATE_INSERT_BY_TYPE = {
  epic: (more: InsertVariant) =>
    insertStatement(epic, CreateEpic, {
      values: createComputedColumns(epic),
      except: ['userStories', 'features', 'kpis', 'files'],
      ...more,
    }),
  feature: (more: InsertVariant) =>
    insertStatement(feature, CreateFeature, {
      values: createComputedColumns(feature),
      except: ['userStories', 'kpis', 'files'],
      ...more,
    }),
  userstory: (more: InsertVariant) =>
    insertStatement(story, CreateUserStory, {
      values: {
        ...createComputedColumns(story),
        epicId: sql`CASE WHEN ${param('newFeature')} IS NULL THEN ${param('newEpic')} ELSE ${selectEpicIdOfFeature(sql`${param('newFeature')}`)} END`,
        featureId: param('newFeature'),
      },
      except: ['epicId', 'featureId', 'type', 'kpis', 'files'],
      ...more,
    }),
}

const returningNewEpic = createReturningResult(epic, epic.justInserted)
const insertEpic = CREATE_INSERT_BY_TYPE.epic({ returns: returningNewEpic({}) })
const saveNewEpic = buildItemCreate(epic, returningNewEpic)

export const createEpic = (db: Database, body: z.output<typeof CreateEpic>) => saveNewEpic(db, insertEpic(body), body)

const insertFeature = CREATE_INSERT_BY_TYPE.feature({})
const saveNewFeature = buildItemCreate(feature, createReturningResult(feature, feature.justInserted))

export const createFeature = async (db: Database, body: z.output<typeof CreateFeature>) =>
  feature.toItem(await saveNewFeature(db, insertFeature(body), body))

const returningNewStory = createReturningResult(story, story.justInserted)
const insertStory = CREATE_INSERT_BY_TYPE.userstory({ returns: returningNewStory({}) })
const saveNewStory = buildItemCreate(story, returningNewStory)

export const createUserStory = (db: Database, body: z.output<typeof CreateUserStory>) => {
  const parents = { newEpic: body.epicId || null, newFeature: body.featureId || null }
  return saveNewStory(db, insertStory(body, parents), body)
}
