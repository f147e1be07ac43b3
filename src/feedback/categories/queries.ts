import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { moment } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { naming } from '../../db/references'
import { guard } from '../../db/refuse'
import { feedbackCategories } from '../../db/schema/feedback'
import { param, type Values } from '../../db/statement'
import { uniqueness } from '../../db/unique'
import { slugify } from '../../text/slug'
import { itemsWith, moveItems } from '../ideas/statements'
import { CreateFeedbackCategory, ListFeedbackCategories, ModifyFeedbackCategory } from './schema'

const key = { categoryId: feedbackCategories.id }
export type CategoryKey = Key<typeof key>

export const category = record('category', {
  table: feedbackCategories,
  within: 'workspace',
  key,
  unique: { column: feedbackCategories.slug, taken: 'Another category has this name, or one as good as the same.' },
  fields: {
    id: feedbackCategories.id,
    name: feedbackCategories.name,
    description: feedbackCategories.description,
    slug: feedbackCategories.slug,
    createdAt: moment(feedbackCategories.createdAt),
    updatedAt: moment(feedbackCategories.updatedAt),
  },
})

const unique = uniqueness(category)
const slug = z.string().optional()
const inserted = inserts(category, CreateFeedbackCategory.extend({ slug }), { returns: category.created() })
const created = category.event('created')

export function createFeedbackCategory(db: Database, body: z.output<typeof CreateFeedbackCategory>) {
  const slug = slugify(body.name)
  return category.save(db, {
    guards: unique.onCreate(slug),
    statements: [inserted({ ...body, slug }), created({})],
    answer: category.created(),
  })
}

export const getFeedbackCategory = category.get

// Sorts by the slug, because the slug has an index and starts like the name.
export const listFeedbackCategories = list(category, ListFeedbackCategories, {
  sorts: { name: feedbackCategories.slug },
}).page

const modified = modifies(category, ModifyFeedbackCategory.extend({ slug }))

export function modifyFeedbackCategory(
  db: Database,
  key: CategoryKey,
  body: z.output<typeof ModifyFeedbackCategory>,
  ifMatch: string | null,
) {
  const slug = body.name === undefined ? undefined : slugify(body.name)
  return category.save(db, {
    guards: [...category.writable(key, ifMatch), ...unique.onModify(key, slug)],
    statements: modified(key, { ...body, slug }),
    answer: category.reply(key),
  })
}

const { removal, restoration } = lifecycle(category)
const own = sql`${param('categoryId')}`
const target = sql`${param('target')}`
const move = moveItems('category_id', own, target)
const inUse = guard<Values>(
  sql`'in_use:Feedback items are in this category. Name the category that they move to in moveTo.'`,
  itemsWith('category_id', own),
)
const itself = (reason: SQL) => guard<Values>(reason, sql`${own} = ${target}`)
const movedToItself = itself(sql`'validation_failed:/query/moveTo:Must be the id of another category'`)
const mergedWithItself = itself(sql`'validation_failed:/into:Must be the id of another category'`)

export function removeFeedbackCategory(
  db: Database,
  key: CategoryKey,
  moveTo: number | undefined,
  ifMatch: string | null,
) {
  const given = { ...key, target: moveTo ?? null }
  const { guards, statements, answer } = removal(key, ifMatch)
  return db.write({
    guards: [...guards, moveTo === undefined ? inUse(given) : movedToItself(given)],
    references: naming('category', '/query/moveTo', moveTo),
    statements: [...move(given), ...statements],
    answer,
  })
}

export const restoreFeedbackCategory = (db: Database, key: CategoryKey) => category.save(db, restoration(key))

const kept = category.answering(sql`${category.visible} AND ${feedbackCategories.id} = ${target}`)

export function mergeFeedbackCategory(db: Database, key: CategoryKey, into: number) {
  const given = { ...key, target: into }
  const { guards, statements } = removal(key, null)
  return category.save(db, {
    guards: [...guards, mergedWithItself(given)],
    references: naming('category', '/into', into),
    statements: [...move(given), ...statements],
    answer: kept(given),
  })
}
