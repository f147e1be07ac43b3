import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { type Guard, guard } from '../../../db/client/refuse'
import { type DerivedField, updateStatement, updateWhere } from '../../../db/records/change'
import { makeDateOrderGuards } from '../../../db/records/date-order'
import { workItems } from '../../../db/schema/work-items'
import { reemitEvent } from '../../../db/sql/events'
import { param, type Statement, statement, type Values } from '../../../db/sql/statement'
import { emitFollowingIdeas } from '../../../feedback/following/statements'
import { computeLeafPercentage } from '../fields'
import {
  bindLinks,
  buildAdoption,
  buildReplaceLinks,
  createLinkFields,
  type ItemLinks,
  itemIsStoryOf,
  listNamedLinks,
} from '../links/queries'
import { createFormerParentsUpdate } from '../parents/queries'
import { listReferences } from '../references'
import { ModifyEpic, ModifyFeature, ModifyUserStory } from '../schema'
import { buildFurtherAssignments } from './assignments'
import {
  type AnyWorkItem,
  epic,
  feature,
  selectEpicIdAfterChange,
  selectFeatureIdAfterChange,
  selectShownPercentage,
  story,
} from './record'
import { createReturningResult, type ResultRow } from './result'
import { createItemTagStatements } from './tags'

interface ItemDates {
  startDate?: number | null | undefined
  endDate?: number | null | undefined
}

interface ItemProgress {
  progress?: string | undefined
  progressPercentage?: number | undefined
}

type ModifiedItemBody = ItemLinks &
  ItemDates &
  ItemProgress &
  Parameters<typeof listReferences>[0] & { tags?: string | undefined }

const derivedPercentageField: DerivedField = {
  name: 'progressPercentage',
  json: selectShownPercentage(),
  differs: sql`${selectShownPercentage()}
    IS NOT ${selectShownPercentage(computeLeafPercentage(param('=progress'), workItems.progressPercentage))}`,
}

const listPercentageFields = ({ progress, progressPercentage }: ItemProgress) =>
  progress !== undefined && progressPercentage === undefined ? [derivedPercentageField] : []

export const buildDateGuards = (item: Pick<AnyWorkItem, 'table' | 'columns' | 'byKey'>) =>
  makeDateOrderGuards(item, { start: 'startDate', end: 'endDate', noun: 'item' })

export const buildFormerParentsUpdate = ({ resource, byKey, id }: AnyWorkItem) =>
  createFormerParentsUpdate(
    resource === 'feature'
      ? [byKey, itemIsStoryOf(sql`(${id})`)].map((which) => ({ which, epicId: sql`${param('newEpic')}` }))
      : [{ which: byKey, epicId: selectEpicIdAfterChange, featureId: selectFeatureIdAfterChange }],
  )

interface ItemChange {
  body: ModifiedItemBody
  guards: Guard[]
  before?: Statement<never>[]
  update: Statement<never>[]
  consequences?: Statement<never>[]
}

function buildItemModify(item: AnyWorkItem) {
  const inOrder = buildDateGuards(item)
  const tags = createItemTagStatements(item.id)
  const adopt = buildAdoption(item, item.id)
  const link = buildReplaceLinks(item)
  const assign = buildFurtherAssignments(item.byKey)
  const reemitUpdated = reemitEvent(`${item.resource}.updated`, item.eventSource, item.byKey)
  const emitIdeas = statement<never, Values>(emitFollowingIdeas(item.id))
  const answer = createReturningResult(item, item.byKey)
  return async (
    db: Database,
    key: Values,
    { body, guards, before = [], update, consequences = [] }: ItemChange,
  ): Promise<ResultRow> => {
    const values = { ...key, ...bindLinks(body) }
    const { rows } = await db.write({
      guards: [...guards, ...inOrder(key, body)],
      references: listReferences(body),
      statements: [
        ...before,
        ...assign(body, key),
        ...update,
        ...(body.progress === undefined ? [] : [emitIdeas(key)]),
        ...tags.replaced(body.tags, key),
        ...consequences,
        ...adopt(body, values),
        ...link(body, values),
        // Rewrites the event, because the event is emitted before the links change.
        ...(listNamedLinks(body).length ? [reemitUpdated(values)] : []),
      ],
      returning: answer(key),
    })
    return rows[0]
  }
}

const createEpicLinkFields = createLinkFields(epic)
const updateEpic = updateStatement(epic, ModifyEpic, { except: ['userStories', 'features', 'kpis', 'files'] })
const saveEpic = buildItemModify(epic)
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
    update: updateEpic({ ...key, ...bindLinks(body) }, body, [
      ...createEpicLinkFields(body),
      ...listPercentageFields(body),
    ]),
  })
}

const createFeatureLinkFields = createLinkFields(feature)
const updateFeature = updateStatement(feature, ModifyFeature, { except: ['userStories', 'kpis', 'files'] })
const saveFeature = buildItemModify(feature)
const newEpicParam = sql`${param('newEpic')}`
const moveStoriesOfFeature = updateWhere(story, itemIsStoryOf(sql`(${feature.id})`), { epicId: newEpicParam })
const raiseFormerEpicVersion = buildFormerParentsUpdate(feature)

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
    before: body.epicId === undefined ? [] : [raiseFormerEpicVersion(values)],
    update: updateFeature({ ...key, ...bindLinks(body) }, body, [
      ...createFeatureLinkFields(body),
      ...listPercentageFields(body),
    ]),
    consequences: body.epicId === undefined ? [] : moveStoriesOfFeature(values),
  })
  return { version: row.version, data: feature.toItem(row) }
}

const createStoryLinkFields = createLinkFields(story)
const updateStory = updateStatement(story, ModifyUserStory, { except: ['type', 'kpis', 'files'] })
const saveStory = buildItemModify(story)
const raiseFormerParentVersions = buildFormerParentsUpdate(story)

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
    before: namesEpic || namesFeature ? [raiseFormerParentVersions({ ...key, ...parents })] : [],
    update: updateStory({ ...key, ...bindLinks(body), ...parents }, { ...body, ...both }, [
      ...createStoryLinkFields(body),
      ...listPercentageFields(body),
    ]),
  })
}
