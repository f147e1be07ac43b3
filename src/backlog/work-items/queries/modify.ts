import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { changes, type Elsewhere, modifies } from '../../../db/change'
import type { Database } from '../../../db/client'
import { retells } from '../../../db/events'
import { type Guard, guard } from '../../../db/refuse'
import { workItems } from '../../../db/schema/work-items'
import { param, type Statement, type Values } from '../../../db/statement'
import { leafPercentage } from '../fields'
import { adoption, type Links, linking, linksOf, linkValues, namedLinks, storiesOf } from '../links/queries'
import { raiseFormerParents } from '../parents/queries'
import { references } from '../references'
import { ModifyEpic, ModifyFeature, ModifyUserStory } from '../schema'
import {
  type AnyWorkItem,
  answered,
  epic,
  feature,
  newEpic,
  newFeature,
  type ResultRow,
  shownPercentage,
  story,
} from './record'
import { tagging } from './tags'

interface Dates {
  startDate?: number | null | undefined
  endDate?: number | null | undefined
}

interface Progress {
  progress?: string | undefined
  progressPercentage?: number | undefined
}

type Body = Links & Dates & Parameters<typeof references>[0] & { tags?: string | undefined }

const percentageChange: Elsewhere = {
  name: 'progressPercentage',
  json: shownPercentage(),
  differs: sql`${shownPercentage()}
    IS NOT ${shownPercentage(leafPercentage(param('=progress'), workItems.progressPercentage))}`,
}

/** Percentage changed by the progress: an item without leaves below has 100 once done. */
const percentageOf = ({ progress, progressPercentage }: Progress) =>
  progress !== undefined && progressPercentage === undefined ? [percentageChange] : []

/** Compares a single date with the stored date. */
export function datesInOrder({ addressed }: Pick<AnyWorkItem, 'addressed'>): (values: Values, dates: Dates) => Guard[] {
  const out = (condition: ReturnType<typeof sql>) =>
    sql`EXISTS (SELECT 1 FROM ${workItems} WHERE ${addressed} AND ${condition})`
  const startsAfterEnd = guard<Values>(
    sql`'validation_failed:/startDate:Must not be after the endDate that the item has'`,
    out(sql`${param('newStart')} > ${workItems.endDate}`),
  )
  const endsBeforeStart = guard<Values>(
    sql`'validation_failed:/endDate:Must not be before the startDate that the item has'`,
    out(sql`${param('newEnd')} < ${workItems.startDate}`),
  )
  return (values, { startDate, endDate }) => [
    ...(startDate != null && endDate === undefined ? [startsAfterEnd({ ...values, newStart: startDate })] : []),
    ...(endDate != null && startDate === undefined ? [endsBeforeStart({ ...values, newEnd: endDate })] : []),
  ]
}

/** Raises the version of parents left by an item with a new parent, and by the stories of a moved feature. */
export const leavingParents = ({ resource, addressed, id }: AnyWorkItem) =>
  raiseFormerParents(
    resource === 'feature'
      ? [addressed, storiesOf(sql`(${id})`)].map((which) => ({ which, epicId: sql`${param('newEpic')}` }))
      : [{ which: addressed, epicId: newEpic, featureId: newFeature }],
  )

interface Change {
  body: Body
  guards: Guard[]
  /** Runs before the change. */
  left?: Statement<never>[]
  changed: Statement<never>[]
  followed?: Statement<never>[]
}

function modification(item: AnyWorkItem) {
  const inOrder = datesInOrder(item)
  const tags = tagging(item.id)
  const adopt = adoption(item, item.id)
  const link = linking(item)
  const retold = retells(`${item.resource}.updated`, item.told, item.addressed)
  const answer = answered(item, item.addressed)
  return async (
    db: Database,
    key: Values,
    { body, guards, left = [], changed, followed = [] }: Change,
  ): Promise<ResultRow> => {
    const values = { ...key, ...linkValues(body) }
    const { answer: rows } = await db.write({
      guards: [...guards, ...inOrder(key, body)],
      references: references(body),
      statements: [
        ...left,
        ...changed,
        ...tags.replaced(body.tags, key),
        ...followed,
        ...adopt(body, values),
        ...link(body, values),
        // Rewrites the event, because the event is emitted before the links change.
        ...(namedLinks(body).length ? [retold(values)] : []),
      ],
      answer: answer(key),
    })
    return rows[0]
  }
}

const epicLinks = linksOf(epic)
const changeEpic = modifies(epic, ModifyEpic, { except: ['userStories', 'features', 'kpis', 'files'] })
const saveEpic = modification(epic)
const otherEpic = guard<Values>(
  sql`'validation_failed:/query/epicId:Must be the id of the epic in the path, or left out'`,
  sql`${epic.id} IS NOT ${param('queryEpicId')}`,
)

export type EpicKey = Parameters<typeof epic.reply>[0]

/** `queryEpicId`: expected id of the epic in the path. */
export function modifyEpic(
  db: Database,
  key: EpicKey,
  body: z.output<typeof ModifyEpic>,
  { ifMatch, queryEpicId }: { ifMatch: string | null; queryEpicId: number | undefined },
) {
  return saveEpic(db, key, {
    body,
    guards: [
      ...epic.writable(key, ifMatch),
      ...(queryEpicId === undefined ? [] : [otherEpic({ ...key, queryEpicId })]),
    ],
    changed: changeEpic({ ...key, ...linkValues(body) }, body, [...epicLinks(body), ...percentageOf(body)]),
  })
}

const featureLinks = linksOf(feature)
const changeFeature = modifies(feature, ModifyFeature, { except: ['userStories', 'kpis', 'files'] })
const saveFeature = modification(feature)
const givenEpic = sql`${param('newEpic')}`
const storiesFollow = changes(story, storiesOf(sql`(${feature.id})`), { epicId: givenEpic })
const leaveEpic = leavingParents(feature)

export type FeatureKey = Parameters<typeof feature.reply>[0]

export async function modifyFeature(
  db: Database,
  key: FeatureKey,
  body: z.output<typeof ModifyFeature>,
  ifMatch: string | null,
) {
  const moving = { ...key, newEpic: body.epicId || null }
  const row = await saveFeature(db, key, {
    body,
    guards: feature.writable(key, ifMatch),
    left: body.epicId === undefined ? [] : [leaveEpic(moving)],
    changed: changeFeature({ ...key, ...linkValues(body) }, body, [...featureLinks(body), ...percentageOf(body)]),
    followed: body.epicId === undefined ? [] : storiesFollow(moving),
  })
  return { version: row.version, data: feature.item(row) }
}

const storyLinks = linksOf(story)
const changeStory = modifies(story, ModifyUserStory, { except: ['type', 'kpis', 'files'] })
const saveStory = modification(story)
const leaveParents = leavingParents(story)

export type UserStoryKey = Parameters<typeof story.reply>[0]

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
    guards: story.writable(key, ifMatch),
    left: namesEpic || namesFeature ? [leaveParents({ ...key, ...parents })] : [],
    changed: changeStory({ ...key, ...linkValues(body), ...parents }, { ...body, ...both }, [
      ...storyLinks(body),
      ...percentageOf(body),
    ]),
  })
}
