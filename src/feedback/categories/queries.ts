import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client/client'
import { guard } from '../../db/client/refuse'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { feedbackCategories } from '../../db/schema/feedback'
import { referenceTo } from '../../db/sql/references'
import { param, type Values } from '../../db/sql/statement'
import { slugifyName } from '../../text/slug'
import { createItemMove, itemsHaveLink } from '../ideas/statements'
import { type CategoryKey, category } from './fields'
import { CreateFeedbackCategory, ListFeedbackCategories, ModifyFeedbackCategory } from './schema'

const OptionalSlug = z.string().optional()
const insertCategory = insertStatement(category, CreateFeedbackCategory.extend({ slug: OptionalSlug }), {
  returns: category.inserted(),
})
const emitCreated = category.emit('created')

export function createFeedbackCategory(db: Database, body: z.output<typeof CreateFeedbackCategory>) {
  const slug = slugifyName(body.name)
  return category.save(db, {
    statements: [insertCategory({ ...body, slug }), emitCreated({})],
    returning: category.inserted(),
  })
}

export const getFeedbackCategory = category.get

// The slug has an index and starts like the name.
export const listFeedbackCategories = makeListReader(category, ListFeedbackCategories, {
  sorts: { name: feedbackCategories.slug },
}).page

const updateCategory = updateStatement(category, ModifyFeedbackCategory.extend({ slug: OptionalSlug }))

export function modifyFeedbackCategory(
  db: Database,
  key: CategoryKey,
  body: z.output<typeof ModifyFeedbackCategory>,
  ifMatch: string | null,
) {
  const slug = body.name === undefined ? undefined : slugifyName(body.name)
  return category.save(db, {
    guards: category.writeGuards(key, ifMatch),
    statements: updateCategory(key, { ...body, slug }),
    returning: category.returningByKey(key),
  })
}

const { removal, restoration } = makeLifecycle(category)
const categoryIdParam = sql`${param('categoryId')}`
const targetIdParam = sql`${param('target')}`
const moveCategoryItems = createItemMove('category_id', categoryIdParam, targetIdParam)
const categoryInUse = guard<Values>(
  'in_use:Feedback items are in this category. Send the id of another category for the items in moveTo.',
  itemsHaveLink('category_id', categoryIdParam),
)
const createSameCategoryGuard = (path: string) =>
  guard<Values>(
    `validation_failed:${path}:Must be the id of another category`,
    sql`${categoryIdParam} = ${targetIdParam}`,
  )
const moveTargetIsSameCategory = createSameCategoryGuard('/query/moveTo')
const categoryMergedWithItself = createSameCategoryGuard('/into')

export function removeFeedbackCategory(
  db: Database,
  key: CategoryKey,
  moveTo: number | undefined,
  ifMatch: string | null,
) {
  const values = { ...key, target: moveTo ?? null }
  const { guards, statements, returning } = removal(key, ifMatch)
  return db.write({
    guards: [...guards, moveTo === undefined ? categoryInUse(values) : moveTargetIsSameCategory(values)],
    references: referenceTo('category', '/query/moveTo', moveTo),
    statements: [...moveCategoryItems(values), ...statements],
    returning,
  })
}

export const restoreFeedbackCategory = (db: Database, key: CategoryKey) => category.save(db, restoration(key))

const returningTargetCategory = category.returningWhere(
  sql`${category.notDeleted} AND ${feedbackCategories.id} = ${targetIdParam}`,
)

export function mergeFeedbackCategory(db: Database, key: CategoryKey, into: number) {
  const values = { ...key, target: into }
  const { guards, statements } = removal(key, null)
  return category.save(db, {
    guards: [...guards, categoryMergedWithItself(values)],
    references: referenceTo('category', '/into', into),
    statements: [...moveCategoryItems(values), ...statements],
    returning: returningTargetCategory(values),
  })
}
