import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { valueOrDefault } from '../../../db/client/bulk'
import { feedbackBulkRows, feedbackItems } from '../../../db/schema/feedback'
import { counters, users } from '../../../db/schema/tenancy'
import { takeNumbers } from '../../../db/sql/numbering'
import { caller, insertInto, type Statement, statement, type Values } from '../../../db/sql/statement'
import { itemIdOfSlug } from '../queries/filters'
import { feedback, initialVisibility } from '../queries/record'
import { createTagStatements } from '../queries/tags'

export const rowIsOfTenant = sql`${feedbackBulkRows.subscriptionId} = ${caller.subscription}`

export const fromValidRows = sql`${feedbackBulkRows} b WHERE b.subscription_id = ${caller.subscription} AND b.problem IS NULL`

const selectUserIdOfAddress = (address: SQL) => sql`(SELECT u.id FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.email = ${address} AND u.deleted_at IS NULL)`

// Authors with only anonymous items get the creation time of the newest member: a fresh timestamp would reveal the
// authorship.
const stagedItemIsAnonymous = sql`json_extract(b.body, '$.is_anonymous') IS 1`
const newMemberCreatedAt = sql`CASE WHEN min(${stagedItemIsAnonymous}) THEN coalesce((SELECT max(u.created_at) FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL), ${caller.now}) ELSE ${caller.now} END`

const insertAuthors = insertInto(
  users,
  {
    subscriptionId: caller.subscription,
    email: sql`b.author`,
    firstName: sql`coalesce(max(b.name), '')`,
    role: sql`'idm_member'`,
    createdAt: newMemberCreatedAt,
    updatedAt: newMemberCreatedAt,
  },
  sql`FROM ${fromValidRows} AND b.author IS NOT NULL GROUP BY b.author ON CONFLICT DO NOTHING`,
)

const takeIdeaNumbers = takeNumbers('IDEA', sql`(SELECT count(*) FROM ${fromValidRows})`)

interface StagedItemOptions {
  defaultAuthorId: SQL
  /** Whether the key is limited to products. A slug without a number would reveal titles of hidden products. */
  isLimited: SQL
}

const assignIdsAndKeys = ({ defaultAuthorId, isLimited }: StagedItemOptions) => sql`UPDATE ${feedbackBulkRows}
  SET external_key = 'IDEA-' || made.number, item_id = made.id, slug = made.slug,
    user_id = coalesce(${selectUserIdOfAddress(sql`${feedbackBulkRows.author}`)}, ${defaultAuthorId})
  FROM (SELECT n, id, number, CASE WHEN ${isLimited} OR again > 1 OR ${itemIdOfSlug(sql`x.slug`)} IS NOT NULL
      THEN x.slug || '_' || number ELSE x.slug END AS slug
    FROM (SELECT b.n, b.slug, row_number() OVER (PARTITION BY b.slug ORDER BY b.n) AS again,
        coalesce(b.item_id, (SELECT coalesce(max(f.id), 0) FROM ${feedbackItems} f) + row_number() OVER (ORDER BY b.n)) AS id,
        (SELECT ${counters.value} FROM ${counters} WHERE ${counters.subscriptionId} = ${caller.subscription}
          AND ${counters.prefix} = 'IDEA') - count(*) OVER () + row_number() OVER (ORDER BY b.n) AS number
      FROM ${fromValidRows}) x) made
  WHERE ${rowIsOfTenant} AND ${feedbackBulkRows.n} = made.n`

const feedbackColumns = getTableColumns(feedbackItems)
const COMPUTED_COLUMN_NAMES = [
  ...['id', 'subscriptionId', 'productId', 'externalKey', 'slug', 'userId', 'createdAt', 'updatedAt'],
  ...['visibilityLevel', 'trending'],
]
const stagedBodyValue = (name: string) => sql.raw(`json_extract(b.body, '$.${name}')`)

const stagedBodyColumns = Object.fromEntries(
  Object.entries(feedbackColumns).flatMap(([name, column]) => {
    return COMPUTED_COLUMN_NAMES.includes(name) ? [] : [[name, valueOrDefault(column, stagedBodyValue(column.name))]]
  }),
)

const insertFeedbackItems = insertInto(
  feedbackItems,
  {
    id: sql`b.item_id`,
    subscriptionId: caller.subscription,
    productId: sql`b.product_id`,
    externalKey: sql`b.external_key`,
    slug: sql`b.slug`,
    userId: sql`b.user_id`,
    ...stagedBodyColumns,
    visibilityLevel: sql`iif(json_type(b.body, '$.visibility_level') IS NULL, ${initialVisibility}, ${stagedBodyValue('visibility_level')})`,
    createdAt: sql`min(coalesce(${stagedBodyValue('created_at')}, ${caller.now}), ${caller.now})`,
    updatedAt: caller.now,
  },
  sql`FROM ${fromValidRows} ORDER BY b.n`,
)

const stagedTagStatements = createTagStatements({
  item: sql`b.item_id`,
  product: sql`b.product_id`,
  rows: sql`${feedbackBulkRows} b CROSS JOIN json_each(b.tags) t`,
  where: sql`b.subscription_id = ${caller.subscription} AND b.problem IS NULL`,
})

export function insertStagedItems(options: StagedItemOptions): (values: Values) => Statement<never>[] {
  const [first, ...rest] = [
    insertAuthors,
    assignIdsAndKeys(options),
    insertFeedbackItems,
    stagedTagStatements.insertTags,
    stagedTagStatements.emitNewTags,
    stagedTagStatements.attachTags,
  ].map((source) => statement<never, Values>(source))
  return (values) => [...(first ? [first(values)] : []), takeIdeaNumbers({}), ...rest.map((make) => make(values))]
}

export const emitStagedItems = feedback.emit(
  'created',
  sql`${feedbackItems.id} IN (SELECT b.item_id FROM ${fromValidRows}) AND +${feedbackItems.subscriptionId} = ${caller.subscription}`,
  { many: true },
)
