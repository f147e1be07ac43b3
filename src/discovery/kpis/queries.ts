import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { productId } from '../../db/access'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { choice } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { linksByKey } from '../../db/links'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { namingEach } from '../../db/references'
import { kpis } from '../../db/schema/kpis'
import { itemLinks, type KpiKey, kpi, showing } from './fields'
import { CreateKpi, KpiListQuery, ModifyKpi } from './schema'

const items = linksByKey('workItems', itemLinks)

const inserted = inserts(kpi, CreateKpi, {
  values: {
    productId,
    externalKey: currentKey('KPI'),
    order: sql`(SELECT coalesce(max(${kpis.order}), 0) + 1 FROM ${kpis} WHERE ${kpi.visible})`,
  },
  except: ['workItems'],
})
const created = kpi.event('created')
const linkNew = items.linking(kpi.newest)

export const createKpi = (db: Database, { workItems, ...body }: z.output<typeof CreateKpi>) =>
  kpi.save(db, {
    references: namingEach('workItemKey', '/workItems', workItems),
    statements: [takeNumber('KPI'), inserted(body), ...linkNew(workItems, {}), created(showing({}))],
    answer: kpi.created(showing({})),
  })

export const getKpi = (db: Database, key: KpiKey, revisions: number) => kpi.get(db, showing(key, revisions))

export const listKpis = list(kpi, KpiListQuery, {
  sorts: { order: kpis.order },
  filters: { linked: choice({ false: sql`${kpis.linked} = 0`, true: sql`${kpis.linked} = 1`, all: sql`true` }) },
  bound: ['revisions'],
}).page

const modified = modifies(kpi, ModifyKpi, { except: ['workItems'] })
const link = items.linking(kpi.addressed)

export const modifyKpi = (
  db: Database,
  key: KpiKey,
  { workItems, ...body }: z.output<typeof ModifyKpi>,
  ifMatch: string | null,
) =>
  kpi.save(db, {
    guards: kpi.writable(key, ifMatch),
    references: namingEach('workItemKey', '/workItems', workItems),
    statements: [
      ...modified({ ...showing(key), ...items.bind(workItems ?? []) }, body, workItems ? [items.change] : []),
      ...link(workItems, key),
    ],
    answer: kpi.reply(showing(key)),
  })

// Its links to work items stay, hidden until it is restored.
const { removal, restoration } = lifecycle(kpi)

export const removeKpi = (db: Database, key: KpiKey, ifMatch: string | null) => db.write(removal(showing(key), ifMatch))

export const restoreKpi = (db: Database, key: KpiKey) => kpi.save(db, restoration(showing(key)))
