import { canRead } from '../../http/auth'
import { declareCeiling, TRACED_LINKS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { RESOURCES } from '../../resources'
import { notFoundError } from '../../text/errors'
import {
  listReachedRecords,
  MAX_LINKS_OF_ROOT,
  MAX_LINKS_PER_FURTHER_RECORD,
  TRACED_KINDS_WITH_RESOURCE,
} from './queries'
import { MAX_TRACE_NODES, Trace, TraceParams } from './schema'
import { buildTrace } from './trace'

export const getTrace = operation({
  id: 'getTrace',
  ceiling: declareCeiling(16_000, TRACED_LINKS_COST_REASON),
  tag: 'Trace',
  route: 'GET /api/v2/trace/{traced_external_key}',
  summary: 'Trace the records linked to a record',
  description: `Follows links between personas, opportunities, experiments, KPIs, work items and ideas, nearest records first: ${MAX_TRACE_NODES} records at most. The trace skips areas and products that your key cannot read. The trace follows the first ${MAX_LINKS_OF_ROOT} links of the given record to each kind, and the first ${MAX_LINKS_PER_FURTHER_RECORD} of every further record. If there are more links, \`truncated\` is true.`,
  weight: 'walk',
  params: TraceParams,
  data: Trace,
  errors: ['record_not_found'],
  async handle({ params, db, actor }) {
    const kinds = TRACED_KINDS_WITH_RESOURCE.flatMap(([kind, name]) =>
      canRead(actor, RESOURCES[name].area) ? [kind] : [],
    )
    const { reached, isCut } = await listReachedRecords(db, params.traced_external_key, kinds)
    if (!reached.length) throw notFoundError(RESOURCES.trace.missing)
    return { data: buildTrace(reached, isCut), version: 1 }
  },
})
