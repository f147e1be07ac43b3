import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { orDefault } from '../../../db/bulk'
import { takesNumbers } from '../../../db/numbering'
import { feedbackBulk, feedbackItems } from '../../../db/schema/feedback'
import { counters, users } from '../../../db/schema/tenancy'
import { caller, insertInto, type Statement, statement, type Values } from '../../../db/statement'
import { itemOfSlug } from '../queries/filters'
import { feedback, visibilityOfNew } from '../queries/record'
import { tagging } from '../queries/tags'

export const tenant = sql`${feedbackBulk.subscriptionId} = ${caller.subscription}`

/** Staged rows without a problem, as `b`. */
export const fine = sql`${feedbackBulk} b WHERE b.subscription_id = ${caller.subscription} AND b.problem IS NULL`

const userOf = (address: SQL) => sql`(SELECT u.id FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.email = ${address} AND u.deleted_at IS NULL)`

// Authors with only anonymous items get the creation time of the newest member: a fresh timestamp would reveal the
// authorship.
const anonymous = sql`json_extract(b.body, '$.is_anonymous') IS 1`
const moment = sql`CASE WHEN min(${anonymous}) THEN coalesce((SELECT max(u.created_at) FROM ${users} u
  WHERE u.subscription_id = ${caller.subscription} AND u.deleted_at IS NULL), ${caller.now}) ELSE ${caller.now} END`

const people = insertInto(
  users,
  {
    subscriptionId: caller.subscription,
    email: sql`b.author`,
    firstName: sql`coalesce(max(b.name), '')`,
    role: sql`'idm_member'`,
    createdAt: moment,
    updatedAt: moment,
  },
  sql`FROM ${fine} AND b.author IS NOT NULL GROUP BY b.author ON CONFLICT DO NOTHING`,
)

const take = takesNumbers('IDEA', sql`(SELECT count(*) FROM ${fine})`)

interface Making {
  user: SQL
  /** Whether the key is limited to products. A slug without a number would reveal titles of hidden products. */
  limited: SQL
}

// Rows without an id get consecutive ids after the highest id of the table.
const identified = ({ user, limited }: Making) => sql`UPDATE ${feedbackBulk}
  SET external_key = 'IDEA-' || made.number, item_id = made.id, slug = made.slug,
    user_id = coalesce(${userOf(sql`${feedbackBulk.author}`)}, ${user})
  FROM (SELECT n, id, number, CASE WHEN ${limited} OR again > 1 OR ${itemOfSlug(sql`x.slug`)} IS NOT NULL
      THEN x.slug || '_' || number ELSE x.slug END AS slug
    FROM (SELECT b.n, b.slug, row_number() OVER (PARTITION BY b.slug ORDER BY b.n) AS again,
        coalesce(b.item_id, (SELECT coalesce(max(f.id), 0) FROM ${feedbackItems} f) + row_number() OVER (ORDER BY b.n)) AS id,
        (SELECT ${counters.value} FROM ${counters} WHERE ${counters.subscriptionId} = ${caller.subscription}
          AND ${counters.prefix} = 'IDEA') - count(*) OVER () + row_number() OVER (ORDER BY b.n) AS number
      FROM ${fine}) x) made
  WHERE ${tenant} AND ${feedbackBulk.n} = made.n`

const columns = getTableColumns(feedbackItems)
const OWN = [
  ...['id', 'subscriptionId', 'productId', 'externalKey', 'slug', 'userId', 'createdAt', 'updatedAt'],
  ...['visibilityLevel', 'trending'],
]
const given = (name: string) => sql.raw(`json_extract(b.body, '$.${name}')`)

const values = Object.fromEntries(
  Object.entries(columns).flatMap(([name, column]) => {
    return OWN.includes(name) ? [] : [[name, orDefault(column, given(column.name))]]
  }),
)

const insert = insertInto(
  feedbackItems,
  {
    id: sql`b.item_id`,
    subscriptionId: caller.subscription,
    productId: sql`b.product_id`,
    externalKey: sql`b.external_key`,
    slug: sql`b.slug`,
    userId: sql`b.user_id`,
    ...values,
    visibilityLevel: visibilityOfNew,
    createdAt: sql`min(coalesce(${given('created_at')}, ${caller.now}), ${caller.now})`,
    updatedAt: caller.now,
  },
  sql`FROM ${fine} ORDER BY b.n`,
)

const tags = tagging({
  item: sql`b.item_id`,
  product: sql`b.product_id`,
  rows: sql`${feedbackBulk} b CROSS JOIN json_each(b.tags) t`,
  where: sql`b.subscription_id = ${caller.subscription} AND b.problem IS NULL`,
})

/** Statements that insert an item for each staged row without a problem, and a member for each unknown author. */
export function makes(making: Making): (values: Values) => Statement<never>[] {
  const [first, ...rest] = [people, identified(making), insert, tags.make, tags.attach].map((source) =>
    statement<never, Values>(source),
  )
  return (values) => [...(first ? [first(values)] : []), take({}), ...rest.map((make) => make(values))]
}

export const toldMade = feedback.event(
  'created',
  sql`${feedbackItems.id} IN (SELECT b.item_id FROM ${fine}) AND +${feedbackItems.subscriptionId} = ${caller.subscription}`,
  { many: true },
)
