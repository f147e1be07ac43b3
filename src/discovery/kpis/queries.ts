import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeExportReader } from '../../db/records/export'
import { makeLifecycle } from '../../db/records/lifecycle'
import { createExternalKeyLinks, createLinkFieldUpdates, createLinkVisibilityUpdates } from '../../db/records/links'
import { makeListReader } from '../../db/records/list'
import { MAX_WHOLE_LIST_RECORDS } from '../../db/records/page'
import { experiments } from '../../db/schema/experiments'
import { kpis } from '../../db/schema/kpis'
import { productId } from '../../db/sql/access'
import { choice } from '../../db/sql/filter'
import { lastTakenKey, takeNumber } from '../../db/sql/numbering'
import { referencesTo } from '../../db/sql/references'
import { kpiHolder, workItemTargetOfKpi } from '../../link-targets'
import { bindRevisions, type KpiKey, kpi, listedKpi, MAX_REVISIONS_PER_PAGE, workItemLinkTable } from './fields'
import { CreateKpi, DEFAULT_REVISIONS_PER_KPI, KpiListQuery, ModifyKpi } from './schema'

const workItemLinkEnds = { ...workItemLinkTable, targetResource: workItemTargetOfKpi }
const linksToWorkItems = createExternalKeyLinks('workItems', workItemLinkEnds)

const insertKpi = insertStatement(kpi, CreateKpi, {
  values: {
    productId,
    externalKey: lastTakenKey('KPI'),
    order: sql`(SELECT coalesce(max(${kpis.order}), 0) + 1 FROM ${kpis} WHERE ${kpi.notDeleted})`,
  },
  except: ['workItems'],
})
const emitKpiCreated = kpi.emit('created')
const replaceLinksOfInsertedKpi = linksToWorkItems.statementsFor(kpi.justInserted)

export const createKpi = (db: Database, { workItems, ...body }: z.output<typeof CreateKpi>) =>
  kpi.save(db, {
    references: referencesTo('workItemKey', '/workItems', workItems),
    statements: [
      takeNumber('KPI'),
      insertKpi(body),
      ...replaceLinksOfInsertedKpi(workItems, {}),
      emitKpiCreated(bindRevisions({})),
    ],
    returning: kpi.inserted(bindRevisions({})),
  })

export const getKpi = (db: Database, key: KpiKey, revisions: number) => kpi.get(db, bindRevisions(key, revisions))

const readKpiPage = makeListReader(listedKpi, KpiListQuery, {
  sorts: { order: kpis.order },
  filters: { linked: choice({ false: sql`${kpis.linked} = 0`, true: sql`${kpis.linked} = 1`, all: sql`true` }) },
  boundParameters: ['revisions'],
}).page

const LINKED_VALUES_BY_FILTER = { false: '[0]', true: '[1]', all: '[0,1]' }

/**
 * With `revisions` the page ends at `MAX_REVISIONS_PER_PAGE` records; without `revisions` each KPI of a long page shows
 * fewer records.
 */
export function listKpis(
  db: Database,
  { revisions, limit = MAX_WHOLE_LIST_RECORDS, ...asked }: z.output<typeof KpiListQuery>,
) {
  const fitting = revisions ? Math.max(1, Math.floor(MAX_REVISIONS_PER_PAGE / revisions)) : limit
  const pageSize = Math.min(limit, fitting)
  const query = { ...asked, limit: pageSize, revisions: revisions ?? DEFAULT_REVISIONS_PER_KPI }
  const { removed = 'exclude' } = asked
  return readKpiPage(db, query, {
    pageSize,
    linkedAmong: LINKED_VALUES_BY_FILTER[asked.linked],
    kept: removed === 'only' ? 0 : 1,
    removals: removed === 'exclude' ? 0 : 1,
  })
}

export const exportKpis = makeExportReader(kpi, kpis.order, { except: ['kpi_revisions'] })

const updateKpi = updateStatement(kpi, ModifyKpi, { except: ['workItems'] })
const replaceLinksOfKpi = linksToWorkItems.statementsFor(kpi.byKey)

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
        { ...bindRevisions(key), ...linksToWorkItems.bind(workItems ?? []) },
        body,
        workItems ? [linksToWorkItems.change] : [],
      ),
      ...replaceLinksOfKpi(workItems, key),
    ],
    returning: kpi.returningByKey(bindRevisions(key)),
  })

const kpiLifecycle = makeLifecycle(kpi)
const workItemVersionUpdates = createLinkVisibilityUpdates(workItemLinkEnds, kpi)
const experimentUpdates = createLinkFieldUpdates(kpiHolder, experiments.kpiId, kpi, kpis.externalKey)

export function removeKpi(db: Database, key: KpiKey, ifMatch: string | null) {
  const { statements, ...rest } = kpiLifecycle.removal(bindRevisions(key), ifMatch)
  return db.write({
    ...rest,
    statements: [...workItemVersionUpdates.hide(key), ...experimentUpdates.hide(key), ...statements],
  })
}

export function restoreKpi(db: Database, key: KpiKey) {
  const { statements, ...rest } = kpiLifecycle.restoration(bindRevisions(key))
  return kpi.save(db, {
    ...rest,
    statements: [...workItemVersionUpdates.show(key), ...experimentUpdates.show(key), ...statements],
  })
}
