import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { type DerivedField, updateStatement, updateWhere } from '../../../db/records/change'
import { dateOrderGuards } from '../../../db/records/date-order'
import { workItems } from '../../../db/schema/work-items'
import { reemitEvent } from '../../../db/sql/events'
import { param, type Statement, type Values } from '../../../db/sql/statement'
import { leafPercentage } from '../fields'
import {
  bindLinks,
  buildAdoption,
  buildReplaceLinks,
  isStoryOf,
  type Links,
  linksOf,
  namedLinks,
} from '../links/queries'
import { raiseFormerParents } from '../parents/queries'
import { referencesOf } from '../references'
import { ModifyEpic, ModifyFeature, ModifyUserStory } from '../schema'
import {
  type AnyWorkItem,
  epic,
  feature,
  newEpicId,
  newFeatureId,
  type ResultRow,
  returningResult,
  shownPercentage,
  story,
} from './record'
import { tagStatementsOf } from './tags'

interface Dates {
  startDate?: number | null | undefined
  endDate?: number | null | undefined
}

interface Progress {
  progress?: string | undefined
  progressPercentage?: number | undefined
}

type Body = Links & Dates & Parameters<typeof referencesOf>[0] & { tags?: string | undefined }

const percentageChange: DerivedField = {
  name: 'progressPercentage',
  json: shownPercentage(),
  differs: sql`${shownPercentage()}
    IS NOT ${shownPercentage(leafPercentage(param('=progress'), workItems.progressPercentage))}`,
}

const percentageFields = ({ progress, progressPercentage }: Progress) =>
  progress !== undefined && progressPercentage === undefined ? [percentageChange] : []

export const buildDateGuards = (item: Pick<AnyWorkItem, 'table' | 'columns' | 'byKey'>) =>
  dateOrderGuards(item, { start: 'startDate', end: 'endDate', noun: 'item' })

export const buildRaiseParents = ({ resource, byKey, id }: AnyWorkItem) =>
  raiseFormerParents(
    resource === 'feature'
      ? [byKey, isStoryOf(sql`(${id})`)].map((which) => ({ which, epicId: sql`${param('newEpic')}` }))
      : [{ which: byKey, epicId: newEpicId, featureId: newFeatureId }],
  )

interface ItemChange {
  body: Body
  guards: Guard[]
  before?: Statement<never>[]
  update: Statement<never>[]
  consequences?: Statement<never>[]
}

function buildModify(item: AnyWorkItem) {
  const inOrder = buildDateGuards(item)
  const tags = tagStatementsOf(item.id)
  const adopt = buildAdoption(item, item.id)
  const link = buildReplaceLinks(item)
  const reemitUpdated = reemitEvent(`${item.resource}.updated`, item.eventSource, item.byKey)
  const answer = returningResult(item, item.byKey)
  return async (
    db: Database,
    key: Values,
    { body, guards, before = [], update, consequences = [] }: ItemChange,
  ): Promise<ResultRow> => {
    const values = { ...key, ...bindLinks(body) }
    const { rows } = await db.write({
      guards: [...guards, ...inOrder(key, body)],
      references: referencesOf(body),
      statements: [
        ...before,
        ...update,
        ...tags.replaced(body.tags, key),
        ...consequences,
        ...adopt(body, values),
        ...link(body, values),
        // Rewrites the event, because the event is emitted before the links change.
        ...(namedLinks(body).length ? [reemitUpdated(values)] : []),
      ],
      returning: answer(key),
    })
    return rows[0]
  }
}

const epicLinks = linksOf(epic)
const changeEpic = updateStatement(epic, ModifyEpic, { except: ['userStories', 'features', 'kpis', 'files'] })
const saveEpic = buildModify(epic)
const wrongEpicId = guard<Values>(
  'validation_failed:/query/epicId:Must be the id of the epic in the path, or left out',
  sql`${epic.id} IS NOT ${param('queryEpicId')}`,
)

export type EpicKey = Parameters<typeof epic.returningByKey>[0]

export function modifyEpic(
  db: Database,
  key: EpicKey,
  body: z.output<typeof ModifyEpic>,
  { ifMatch, queryEpicId }: { ifMatch: string | null; queryEpicId: number | undefined },
) {
  return saveEpic(db, key, {
    body,
    guards: [
      ...epic.writeGuards(key, ifMatch),
      ...(queryEpicId === undefined ? [] : [wrongEpicId({ ...key, queryEpicId })]),
    ],
    update: changeEpic({ ...key, ...bindLinks(body) }, body, [...epicLinks(body), ...percentageFields(body)]),
  })
}

const featureLinks = linksOf(feature)
const changeFeature = updateStatement(feature, ModifyFeature, { except: ['userStories', 'kpis', 'files'] })
const saveFeature = buildModify(feature)
const newEpicParam = sql`${param('newEpic')}`
const moveStories = updateWhere(story, isStoryOf(sql`(${feature.id})`), { epicId: newEpicParam })
const leaveEpic = buildRaiseParents(feature)

export type FeatureKey = Parameters<typeof feature.returningByKey>[0]

export async function modifyFeature(
  db: Database,
  key: FeatureKey,
  body: z.output<typeof ModifyFeature>,
  ifMatch: string | null,
) {
  const values = { ...key, newEpic: body.epicId || null }
  const row = await saveFeature(db, key, {
    body,
    guards: feature.writeGuards(key, ifMatch),
    before: body.epicId === undefined ? [] : [leaveEpic(values)],
    update: changeFeature({ ...key, ...bindLinks(body) }, body, [...featureLinks(body), ...percentageFields(body)]),
    consequences: body.epicId === undefined ? [] : moveStories(values),
  })
  return { version: row.version, data: feature.toItem(row) }
}

const storyLinks = linksOf(story)
const changeStory = updateStatement(story, ModifyUserStory, { except: ['type', 'kpis', 'files'] })
const saveStory = buildModify(story)
const leaveParents = buildRaiseParents(story)

export type UserStoryKey = Parameters<typeof story.returningByKey>[0]

export function modifyUserStory(
  db: Database,
  key: UserStoryKey,
  body: z.output<typeof ModifyUserStory>,
  ifMatch: string | null,
) {
  const { epicId, featureId } = body
  const namesEpic = epicId !== undefined
  const namesFeature = featureId !== undefined
  const parents = { namesEpic, newEpic: epicId || null, namesFeature, newFeature: featureId || null }
  // A change of a parent may change both columns.
  const both = namesEpic || namesFeature ? { epicId: epicId ?? null, featureId: featureId ?? null } : {}
  return saveStory(db, key, {
    body,
    guards: story.writeGuards(key, ifMatch),
    before: namesEpic || namesFeature ? [leaveParents({ ...key, ...parents })] : [],
    update: changeStory({ ...key, ...bindLinks(body), ...parents }, { ...body, ...both }, [
      ...storyLinks(body),
      ...percentageFields(body),
    ]),
  })
}
