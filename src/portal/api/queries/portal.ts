import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client/client'
import { portals } from '../../../db/schema/portals'
import { settings } from '../../../db/schema/settings'
import { solutionVersions } from '../../../db/schema/solution-versions'
import { products, subscriptions } from '../../../db/schema/tenancy'
import { caller, inline, statement } from '../../../db/sql/statement'
import { notFoundError } from '../../../text/errors'
import { toIso } from '../../../text/moments'
import type { LOCALES, SIGN_UPS, THEME_MODES, VISIBILITIES } from '../../settings/schema'
import { isPublicCategory, MAX_LISTED, publicProductIds, publicStatuses, verifiedDomain } from '../statements'
import { listRoadmapIdeas } from './ideas'

interface PortalRow {
  slug: string
  domain: string | null
  name: string
  visibility: (typeof VISIBILITIES)[number]
  signUp: (typeof SIGN_UPS)[number]
  moderation: number | null
  accent: string
  mode: (typeof THEME_MODES)[number]
  logo: number | null
  darkLogo: number | null
  locale: (typeof LOCALES)[number]
  roadmap: number
  changelog: number
  products: string
  statuses: string
  categories: string
}

export interface PortalStatus {
  id: number
  name: string
  slug: string
  color: string | null
  /** 1 if items with the status accept no votes. */
  endsVoting: 0 | 1
  /** Progress of work items that set the status. */
  progress: string | null
}

export interface PortalProduct {
  key: string
  name: string
  color: string | null
}

export interface PortalCategory {
  id: number
  name: string
  slug: string
}

const statusesJson = sql`(SELECT json_group_array(json_object('id', id, 'name', name, 'slug', slug, 'color', color,
    'endsVoting', ends_voting, 'progress', progress)) FROM ${publicStatuses})`
const categoriesJson = sql`(SELECT json_group_array(json_object('id', id, 'name', name, 'slug', slug)) FROM (
  SELECT c.id, c.name, c.slug FROM feedback_categories c WHERE c.subscription_id = ${caller.subscription}
    AND c.deleted_at IS NULL AND ${isPublicCategory(sql`c.id`)} ORDER BY c.slug LIMIT ${MAX_LISTED}))`
const productsJson = sql`(SELECT json_group_array(json_object('key', key, 'name', name, 'color', color)) FROM (
  SELECT ${products.externalKey} AS key, ${products.name}, ${products.color} FROM ${products}
  WHERE ${products.id} IN (${publicProductIds}) ORDER BY ${products.name}, ${products.id}))`

const selectPortal =
  statement<PortalRow>(sql`SELECT ${portals.slug} AS "slug", ${verifiedDomain} AS "domain", coalesce(${portals.name}, ${subscriptions.name}) AS "name",
    ${portals.visibility} AS "visibility", ${portals.signUp} AS "signUp", ${settings.feedback} ->> '$.moderation' AS "moderation",
    ${portals.accent} AS "accent", ${portals.mode} AS "mode", ${portals.logo} AS "logo", ${portals.darkLogo} AS "darkLogo",
    ${portals.locale} AS "locale", ${portals.roadmap} AS "roadmap", ${portals.changelog} AS "changelog",
    ${productsJson} AS "products", ${statusesJson} AS "statuses", ${categoriesJson} AS "categories"
  FROM ${portals} CROSS JOIN ${subscriptions} ON ${subscriptions.id} = ${portals.subscriptionId}
    LEFT JOIN ${settings} ON ${settings.subscriptionId} = ${portals.subscriptionId}
  WHERE ${portals.subscriptionId} = ${caller.subscription} AND ${portals.slug} = ${caller.portal}`)

/** Name, theme, tabs, products, statuses and categories of the portal. Costs one trip. */
export async function getPortal(db: Database) {
  const [[row]] = await db.read(selectPortal({}))
  if (!row) throw notFoundError('portal_not_found')
  return {
    ...row,
    moderation: row.moderation === 1,
    roadmap: row.roadmap === 1,
    changelog: row.changelog === 1,
    products: JSON.parse(row.products) as PortalProduct[],
    statuses: JSON.parse(row.statuses) as PortalStatus[],
    categories: JSON.parse(row.categories) as PortalCategory[],
  }
}

const selectStatuses = statement<{ statuses: string }>(sql`SELECT ${statusesJson} AS "statuses"`)

/** A lane for each public status, with at most 20 ideas. Costs one trip. */
export async function getRoadmap(db: Database) {
  const [ideas, [row]] = await listRoadmapIdeas(db, selectStatuses({}))
  const statuses = JSON.parse(row?.statuses ?? '[]') as PortalStatus[]
  return { lanes: statuses.map((status) => ({ status, ideas: ideas.get(status.id) ?? [] })) }
}

interface VersionRow {
  key: string
  name: string
  product: string
  releasedAt: number | null
}

// The newest versions by the planned date of each product, so that a page looks at a bounded number of versions.
const MAX_SEARCHED_VERSIONS = inline(200)
const selectVersions =
  statement<VersionRow>(sql`SELECT v.external_key AS "key", v.name AS "name", ${products.externalKey} AS "product",
    v.released_at AS "releasedAt"
  FROM ${products} CROSS JOIN ${solutionVersions} v ON v.id IN (SELECT n.id FROM ${solutionVersions} n
    WHERE n.product_id = ${products.id} AND n.subscription_id = ${caller.subscription} AND n.deleted_at IS NULL
    ORDER BY n.release_date DESC, n.id DESC LIMIT ${MAX_SEARCHED_VERSIONS})
  WHERE ${products.id} IN (${publicProductIds}) AND v.status = 'released' ORDER BY v.released_at DESC, v.id DESC LIMIT 50`)

/** The newest 50 released versions. Costs one trip. */
export async function listPortalVersions(db: Database) {
  const [rows] = await db.read(selectVersions({}))
  return { versions: rows.map((row) => ({ ...row, releasedAt: toIso(row.releasedAt) })) }
}
