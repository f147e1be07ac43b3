import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { workItem } from '../../backlog/work-items/queries/any'
import { productId } from '../../db/access'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { choice } from '../../db/filter'
import { lifecycle } from '../../db/lifecycle'
import { hidingLinks, linksByKey } from '../../db/links'
import { list } from '../../db/list'
import { currentKey, takeNumber } from '../../db/numbering'
import { WHOLE_PAGE } from '../../db/page'
import { namingEach } from '../../db/references'
import { kpis } from '../../db/schema/kpis'
import { itemLinks, type KpiKey, kpi, listedKpi, MAX_PAGE_REVISIONS, showing } from './fields'
import { CreateKpi, KpiListQuery, ModifyKpi, REVISIONS } from './schema'

const bothEnds = { ...itemLinks, otherEnd: { record: () => workItem, member: 'kpis' } }
const items = linksByKey('workItems', bothEnds)

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

const kpiPage = list(listedKpi, KpiListQuery, {
  sorts: { order: kpis.order },
  filters: { linked: choice({ false: sql`${kpis.linked} = 0`, true: sql`${kpis.linked} = 1`, all: sql`true` }) },
  bound: ['revisions'],
}).page

const LINKED = { false: '[0]', true: '[1]', all: '[0,1]' }

/**
 * Lists KPIs. With `revisions` the page ends at `MAX_PAGE_REVISIONS` records; without `revisions` each KPI of a long
 * page shows fewer records.
 */
export function listKpis(db: Database, { revisions, limit = WHOLE_PAGE, ...asked }: z.output<typeof KpiListQuery>) {
  const fitting = revisions ? Math.max(1, Math.floor(MAX_PAGE_REVISIONS / revisions)) : limit
  const pageSize = Math.min(limit, fitting)
  const query = { ...asked, limit: pageSize, revisions: revisions ?? REVISIONS }
  return kpiPage(db, query, { pageSize, linkedAmong: LINKED[asked.linked] })
}

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

// Links to work items stay, hidden until the KPI is restored.
const { removal, restoration } = lifecycle(kpi)
const itemsShow = hidingLinks(bothEnds, kpi)

export function removeKpi(db: Database, key: KpiKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(showing(key), ifMatch)
  return db.write({ ...rest, statements: [...itemsShow.hide(key), ...statements] })
}

export function restoreKpi(db: Database, key: KpiKey) {
  const { statements, ...rest } = restoration(showing(key))
  return kpi.save(db, { ...rest, statements: [...itemsShow.show(key), ...statements] })
}
