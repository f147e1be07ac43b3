import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { referencesTo } from '../../db/client/references'
import { insertStatement, updateStatement } from '../../db/records/change'
import { lifecycle } from '../../db/records/lifecycle'
import { hideOrShowLinks, linksByKey } from '../../db/records/links'
import { listReader } from '../../db/records/list'
import { MAX_WHOLE_LIST_RECORDS } from '../../db/records/page'
import { kpis } from '../../db/schema/kpis'
import { productId } from '../../db/sql/access'
import { choice } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { workItemOfKpi } from '../../link-targets'
import { itemLinks, type KpiKey, kpi, listedKpi, MAX_PAGE_REVISIONS, withRevisions } from './fields'
import { CreateKpi, DEFAULT_REVISIONS, KpiListQuery, ModifyKpi } from './schema'

const bothEnds = { ...itemLinks, targetResource: workItemOfKpi }
const workItemLinks = linksByKey('workItems', bothEnds)

const insertKpi = insertStatement(kpi, CreateKpi, {
  values: {
    productId,
    externalKey: lastTakenKey('KPI'),
    order: sql`(SELECT coalesce(max(${kpis.order}), 0) + 1 FROM ${kpis} WHERE ${kpi.notDeleted})`,
  },
  except: ['workItems'],
})
const emitCreated = kpi.emit('created')
const linkNewWorkItems = workItemLinks.linkStatements(kpi.justInserted)

export const createKpi = (db: Database, { workItems, ...body }: z.output<typeof CreateKpi>) =>
  kpi.save(db, {
    references: referencesTo('workItemKey', '/workItems', workItems),
    statements: [
      takeNumber('KPI'),
      insertKpi(body),
      ...linkNewWorkItems(workItems, {}),
      emitCreated(withRevisions({})),
    ],
    returning: kpi.inserted(withRevisions({})),
  })

export const getKpi = (db: Database, key: KpiKey, revisions: number) => kpi.get(db, withRevisions(key, revisions))

const kpiPage = listReader(listedKpi, KpiListQuery, {
  sorts: { order: kpis.order },
  filters: { linked: choice({ false: sql`${kpis.linked} = 0`, true: sql`${kpis.linked} = 1`, all: sql`true` }) },
  boundParameters: ['revisions'],
}).page

const LINKED_VALUES = { false: '[0]', true: '[1]', all: '[0,1]' }

/**
 * With `revisions` the page ends at `MAX_PAGE_REVISIONS` records; without `revisions` each KPI of a long page shows
 * fewer records.
 */
export function listKpis(
  db: Database,
  { revisions, limit = MAX_WHOLE_LIST_RECORDS, ...asked }: z.output<typeof KpiListQuery>,
) {
  const fitting = revisions ? Math.max(1, Math.floor(MAX_PAGE_REVISIONS / revisions)) : limit
  const pageSize = Math.min(limit, fitting)
  const query = { ...asked, limit: pageSize, revisions: revisions ?? DEFAULT_REVISIONS }
  return kpiPage(db, query, { pageSize, linkedAmong: LINKED_VALUES[asked.linked] })
}

const updateKpi = updateStatement(kpi, ModifyKpi, { except: ['workItems'] })
const linkWorkItems = workItemLinks.linkStatements(kpi.byKey)

export const modifyKpi = (
  db: Database,
  key: KpiKey,
  { workItems, ...body }: z.output<typeof ModifyKpi>,
  ifMatch: string | null,
) =>
  kpi.save(db, {
    guards: kpi.writeGuards(key, ifMatch),
    references: referencesTo('workItemKey', '/workItems', workItems),
    statements: [
      ...updateKpi(
        { ...withRevisions(key), ...workItemLinks.bind(workItems ?? []) },
        body,
        workItems ? [workItemLinks.change] : [],
      ),
      ...linkWorkItems(workItems, key),
    ],
    returning: kpi.returningByKey(withRevisions(key)),
  })

const { removal, restoration } = lifecycle(kpi)
const itemEvents = hideOrShowLinks(bothEnds, kpi)

export function removeKpi(db: Database, key: KpiKey, ifMatch: string | null) {
  const { statements, ...rest } = removal(withRevisions(key), ifMatch)
  return db.write({ ...rest, statements: [...itemEvents.hide(key), ...statements] })
}

export function restoreKpi(db: Database, key: KpiKey) {
  const { statements, ...rest } = restoration(withRevisions(key))
  return kpi.save(db, { ...rest, statements: [...itemEvents.show(key), ...statements] })
}
