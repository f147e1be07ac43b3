import { type SQL, sql } from 'drizzle-orm'
import { changes, type Elsewhere } from '../../../db/change'
import { workItemBulk, workItems } from '../../../db/schema/work-items'
import { caller, keptBy, type Statement, statement, type Values } from '../../../db/statement'
import { raiseKpisOf, storiesOf } from '../../work-items/links/queries'
import { raiseFormerParents } from '../../work-items/parents/queries'
import { workItem } from '../../work-items/queries/any'
import { epicOf, story } from '../../work-items/queries/record'
import { detaching } from '../../work-items/queries/remove'
import { FIELDS } from './create'
import { LEAVES, type List } from './links'
import { byTarget, ofKind } from './rows'

const ofTenant = sql`+${workItems.subscriptionId} = ${caller.subscription} AND ${workItems.deletedAt} IS NULL`

/** Reads a value from the operation on the current item. */
const row = (value: string) =>
  sql`(SELECT ${sql.raw(value)} FROM ${byTarget('b')}
    WHERE b.subscription_id = ${caller.subscription} AND b.target_id = ${workItems.id} AND b.op = 'update' AND b.problem IS NULL)`
const names = (name: string) => row(`json_type(b.body, '$.${name}') IS NOT NULL`)
const value = (name: string) => row(`b.body ->> '$.${name}'`)

// Same rule as in a single change: `featureId` wins and sets the epic too; an `epicId` alone keeps a feature of this
// epic.
const featureNow = sql`CASE WHEN ${workItems.type} <> 'userstory' THEN NULL WHEN ${names('featureId')} THEN ${value('featureId')}
  WHEN ${names('epicId')} AND ${epicOf(sql`${workItems.featureId}`)} IS NOT ${value('epicId')} THEN NULL
  ELSE ${workItems.featureId} END`
const epicNow = sql`CASE WHEN ${workItems.type} = 'epic' THEN NULL
  WHEN (${featureNow}) IS NOT NULL THEN ${epicOf(sql`(${featureNow})`)}
  WHEN ${names('epicId')} THEN ${value('epicId')} ELSE ${workItems.epicId} END`

type Changing = ReturnType<typeof changes>

function changing({ fields, hang, lists }: Changes<readonly string[]>): Changing {
  const set = Object.fromEntries(
    fields.map((name) => {
      const column = FIELDS.get(name)?.column
      return [name, sql`CASE WHEN ${names(name)} THEN ${value(name)} ELSE ${column} END`]
    }),
  )
  const parents = hang ? { epicId: epicNow, featureId: featureNow } : {}
  return changes(
    workItem,
    sql`${ofTenant} AND ${workItems.id} IN (SELECT b.item_id FROM ${ofKind('update')})`,
    { ...set, ...parents } as Parameters<typeof changes>[2],
    { elsewhere: LEAVES.filter(({ name }) => lists.includes(name)).map(replaced) },
  )
}

/** List from before the replacement by this batch, compared with the current list. */
const replaced = ({ name, field }: (typeof LEAVES)[number]): Elsewhere => ({
  name,
  json: row(`b.body -> '$.was.${name}'`),
  differs: sql`${names(`was.${name}`)} AND ${row(`b.body -> '$.was.${name}'`)} IS NOT ${field.json()}`,
})

// Caches the statements for each set of fields in use.
const changesBy = keptBy(changing)

const storiesFollow = changes(
  story,
  storiesOf(sql`(SELECT b.item_id FROM ${workItemBulk} b WHERE b.subscription_id = ${caller.subscription}
    AND b.op IN ('update', 'adopt') AND b.type = 'feature' AND b.problem IS NULL)`),
  { epicId: epicOf(sql`${workItems.featureId}`) },
)

const updated = sql`${ofTenant} AND ${workItems.id} IN (SELECT b.item_id FROM ${ofKind('update')})`
const leaveParents = raiseFormerParents([
  { which: updated, epicId: epicNow, featureId: featureNow },
  // Stories follow a moved feature.
  {
    which: storiesOf(sql`(SELECT b.item_id FROM ${ofKind('update')} AND b.type = 'feature'
      AND json_type(b.body, '$.epicId') IS NOT NULL)`),
    epicId: sql`(SELECT b.body ->> '$.epicId' FROM ${byTarget('b')} WHERE b.subscription_id = ${caller.subscription}
      AND b.target_id = ${workItems.featureId} AND b.op = 'update' AND b.problem IS NULL)`,
  },
])

interface Changes<F> {
  fields: F
  hang: boolean
  lists: readonly List[]
}

export function changed({ fields, hang, lists }: Changes<ReadonlySet<string>>): Statement<never>[] {
  const some = [...FIELDS.keys()].filter((name) => fields.has(name))
  if (!some.length && !hang && !lists.length) return []
  const change = changesBy(`${some} ${hang} ${lists}`, { fields: some, hang, lists })
  return [...(hang ? [leaveParents({})] : []), ...change({}), ...(hang ? storiesFollow({}) : [])]
}

/** Adopting operations `p` with the adopted children `b`. */
const adoptingFrom = (
  rows: SQL,
) => sql`${rows} CROSS JOIN ${workItemBulk} p ON p.subscription_id = ${caller.subscription}
    AND p.n = b.parent AND p.problem IS NULL
  WHERE b.subscription_id = ${caller.subscription} AND b.op = 'adopt' AND b.problem IS NULL`
const adopting = adoptingFrom(sql`${workItemBulk} b`)
// If several operations adopt a child, the last operation wins.
const taker = (column: 'item_id' | 'type') =>
  sql`(SELECT ${sql.raw(`p.${column}`)} FROM ${adoptingFrom(byTarget('b'))}
    AND b.target_id = ${workItems.id} ORDER BY b.n DESC LIMIT 1)`

const isAdopted = sql`${ofTenant} AND ${workItems.id} IN (SELECT b.item_id FROM ${adopting})`
const newParents = {
  epicId: sql`CASE ${taker('type')} WHEN 'epic' THEN ${taker('item_id')} ELSE ${epicOf(taker('item_id'))} END`,
  featureId: sql`CASE WHEN ${workItems.type} = 'feature' THEN NULL WHEN ${taker('type')} = 'feature' THEN ${taker('item_id')}
    WHEN ${epicOf(sql`${workItems.featureId}`)} IS ${taker('item_id')} THEN ${workItems.featureId} END`,
}
const adopt = changes(workItem, isAdopted, newParents)
const featureTaker = sql`(SELECT p.item_id FROM ${adoptingFrom(byTarget('b'))}
  AND b.target_id = ${workItems.featureId} ORDER BY b.n DESC LIMIT 1)`
const leaveForTaker = raiseFormerParents([
  { which: isAdopted, ...newParents },
  { which: storiesOf(sql`(SELECT b.item_id FROM ${adopting} AND b.type = 'feature')`), epicId: featureTaker },
])

export const adopted = (): Statement<never>[] => [leaveForTaker({}), ...adopt({}), ...storiesFollow({})]

const going = sql`SELECT b.item_id FROM ${ofKind('delete')}`
const goes = sql`${ofTenant} AND ${workItems.id} IN (${going})`
const deleted = workItem.event('deleted' as never, goes, { many: true })
const remove = statement<never, Values>(
  sql`UPDATE ${workItems} SET deleted_at = ${caller.now}, version = version + 1 WHERE ${goes}`,
)
const detach = detaching(going, ['epic', 'feature'])
const hide = raiseKpisOf(going, false)

export const removed = (): Statement<never>[] => [...hide({}), deleted({}), remove({}), ...detach({})]
