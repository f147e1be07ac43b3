import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { type Elsewhere, inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { choice } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { namingEach } from '../../db/references'
import { kpis } from '../../db/schema/kpis'
import { workItemKpis, workItems } from '../../db/schema/work-items'
import { caller, param, type Statement, statement, type Values } from '../../db/statement'
import { type KpiKey, kpi, presentItems, showing } from './fields'
import { CreateKpi, KpiListQuery, ModifyKpi } from './schema'

type Keys = readonly string[] | undefined

const itemValues = (items: Keys = []): Values => ({ '=workItems': JSON.stringify(items) })

const named = sql`(SELECT value FROM json_each(${param('=workItems')}))`
const there = sql`SELECT w.id FROM ${workItems} w
  WHERE w.subscription_id = ${caller.subscription} AND w.deleted_at IS NULL`

/** Makes the statements that link just the named work items. What is removed stays linked, hidden as it is. */
function linking(of: SQL): (items: Keys, key: Values) => Statement<never>[] {
  const { subscriptionId, workItemId, kpiId } = workItemKpis
  const make = [
    sql`DELETE FROM ${workItemKpis} WHERE ${subscriptionId} = ${caller.subscription} AND ${kpiId} = ${of}
      AND EXISTS (${there} AND w.id = ${workItemId} AND w.external_key NOT IN ${named})`,
    sql`INSERT OR IGNORE INTO ${workItemKpis} (subscription_id, work_item_id, kpi_id)
      SELECT ${caller.subscription}, id, ${of} FROM (${there} AND w.external_key IN ${named})`,
  ].map((source) => statement<never, Values>(source))
  return (items, key) => (items ? make.map((one) => one({ ...key, ...itemValues(items) })) : [])
}

const given = sql`(SELECT json_group_array(w.external_key ORDER BY w.id) FROM ${workItems} w
  WHERE w.subscription_id = ${caller.subscription} AND w.external_key IN ${named})`
const itemsChange: Elsewhere = {
  name: 'workItems',
  json: presentItems,
  differs: sql`${presentItems} IS NOT ${given}`,
  becomes: given,
}

const inserted = inserts(kpi, CreateKpi, {
  values: {
    productId,
    externalKey: currentKey('KPI'),
    order: sql`(SELECT coalesce(max(${kpis.order}), 0) + 1 FROM ${kpis} WHERE ${kpi.visible})`,
  },
  except: ['workItems'],
})
const created = kpi.event('created')
const linkNew = linking(sql`(SELECT ${kpis.id} FROM ${kpis} WHERE ${kpi.newest})`)

export const createKpi = (db: Database, { workItems: items, ...body }: z.output<typeof CreateKpi>) =>
  kpi.save(db, {
    references: namingEach('workItemKey', '/workItems', items),
    statements: [takeNumber('KPI'), inserted(body), ...(items?.length ? linkNew(items, {}) : []), created(showing({}))],
    answer: kpi.created(showing({})),
  })

export const getKpi = (db: Database, key: KpiKey, revisions: number) => kpi.get(db, showing(key, revisions))

export const listKpis = list(kpi, KpiListQuery, {
  sorts: { order: kpis.order },
  filters: { linked: choice({ false: sql`${kpis.linked} = 0`, true: sql`${kpis.linked} = 1`, all: sql`true` }) },
  bound: ['revisions'],
}).page

const modified = modifies(kpi, ModifyKpi, { except: ['workItems'] })
const link = linking(kpi.id)

export const modifyKpi = (
  db: Database,
  key: KpiKey,
  { workItems: items, ...body }: z.output<typeof ModifyKpi>,
  ifMatch: string | null,
) =>
  kpi.save(db, {
    guards: kpi.writable(key, ifMatch),
    references: namingEach('workItemKey', '/workItems', items),
    statements: [
      ...modified({ ...showing(key), ...itemValues(items) }, body, items ? [itemsChange] : []),
      ...link(items, key),
    ],
    answer: kpi.reply(showing(key)),
  })

// Its links to work items stay, hidden until it is restored.
const { removal, restoration } = lifecycle(kpi)

export const removeKpi = (db: Database, key: KpiKey, ifMatch: string | null) => db.write(removal(showing(key), ifMatch))

export const restoreKpi = (db: Database, key: KpiKey) => kpi.save(db, restoration(showing(key)))
