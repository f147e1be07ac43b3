import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { feedbackItems } from '../../db/schema/feedback'
import { portals } from '../../db/schema/portals'
import { products, users } from '../../db/schema/tenancy'
import { coversProduct } from '../../db/sql/access'
import { caller, inline } from '../../db/sql/statement'

const ofPortal = (column: SQLiteColumn) =>
  sql`(SELECT ${column} FROM ${portals} WHERE ${portals.subscriptionId} = ${caller.subscription})`

/** Own host of a portal; NULL before it is verified. */
export const verifiedDomain = sql`iif(${portals.domainVerified}, ${portals.domain}, NULL)`

/** Ids of the products that the portal shows. */
export const publicProductIds = sql`SELECT p.id FROM json_each(${ofPortal(portals.products)}) j
  CROSS JOIN ${products} p ON p.id = j.value AND p.subscription_id = ${caller.subscription} AND p.deleted_at IS NULL
    AND ${coversProduct(sql`p.id`)}`

const isListedOrAll = (id: SQLWrapper, list: SQL) =>
  sql`(${list} IS NULL OR ${id} IN (SELECT value FROM json_each(${list})))`

/** Statuses and categories that a page lists. */
export const MAX_LISTED = inline(200)

export const isPublicStatus = (id: SQLWrapper) => isListedOrAll(id, ofPortal(portals.statuses))

/** Whether a portal that hides some statuses shows the status with the name. */
export const isPublicStatusName = (name: SQLWrapper) => sql`(${ofPortal(portals.statuses)} IS NULL
  OR ${name} IN (SELECT s.name FROM feedback_statuses s WHERE s.subscription_id = ${caller.subscription}
    AND s.deleted_at IS NULL AND ${isPublicStatus(sql`s.id`)}))`

/** Statuses of the portal, in their order. */
export const publicStatuses = sql`(SELECT s.id, s.name, s.slug, s.color, s.ends_voting, s.progress, s.position
  FROM feedback_statuses s WHERE s.subscription_id = ${caller.subscription} AND s.deleted_at IS NULL
    AND ${isPublicStatus(sql`s.id`)} ORDER BY s.position, s.id LIMIT ${MAX_LISTED})`

export const isPublicCategory = (id: SQLWrapper) => isListedOrAll(id, ofPortal(portals.categories))

// The plus keeps the index of the order, which begins with the workspace.
const isPublicProduct = (id: SQLWrapper) => sql`+${id} IN (${publicProductIds})`
const isOfPublicProduct = isPublicProduct(feedbackItems.productId)

type ShownColumns = Record<'visibilityLevel' | 'productId' | 'statusId' | 'categoryId', SQLWrapper>

/** The item is approved, and of a product, status and category of the portal. */
export const isPublicItem = ({ visibilityLevel, productId, statusId, categoryId }: ShownColumns) =>
  sql`((${visibilityLevel} IS NULL OR ${visibilityLevel} = 'approved')
  AND ${isPublicProduct(productId)} AND ${isPublicStatus(statusId)} AND ${isPublicCategory(categoryId)})`
export const isPublicIdea = isPublicItem(feedbackItems)

const isOwnIdea = sql`(${caller.user} > 0 AND ${feedbackItems.userId} = ${caller.user} AND ${isOfPublicProduct})`

/** Authors see their ideas before the approval. */
export const isShownIdea = sql`(${isPublicIdea} OR ${isOwnIdea})`

/** Name of a person for everybody. A name that is an address stays hidden. */
export const displayName = sql`CASE WHEN instr(${users.firstName} || ${users.lastName}, '@') = 0
  THEN nullif(trim(${users.firstName} || ' ' || ${users.lastName}), '') END`

/** The portal shows its changelog, and the product of the published entry `e`. */
export const isShownEntry = sql`(e.product_id IS NULL OR e.product_id IN (${publicProductIds})) AND ${ofPortal(portals.changelog)} = 1`
