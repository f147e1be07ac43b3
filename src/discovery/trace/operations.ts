import { reads } from '../../http/auth'
import { EVERY_WAY, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { RESOURCES } from '../../resources'
import { notFound } from '../../text/errors'
import { KIND_RESOURCES, LINKS_OF_OTHERS, LINKS_OF_ROOT, listReached } from './queries'
import { MAX_NODES, Trace, TraceParams } from './schema'
import { traceOf } from './trace'

export const getTrace = operation({
  id: 'getTrace',
  ceiling: walk(16_000, EVERY_WAY),
  tag: 'Trace',
  route: 'GET /api/v2/trace/{traced_external_key}',
  summary: 'Trace what a record hangs together with',
  description: `Persona, opportunity, experiment, KPI, work item and idea, by all ways from the one that is named, the nearest first: ${MAX_NODES} at most. What the key does not read is not passed: other areas, other products. Of the links of that record the first ${LINKS_OF_ROOT} to each kind are followed, of those of the others ${LINKS_OF_OTHERS}; where there are more, \`truncated\` is true.`,
  weight: 'walk',
  params: TraceParams,
  data: Trace,
  errors: ['record_not_found'],
  async handle({ params, db, actor }) {
    const kinds = KIND_RESOURCES.flatMap(([kind, name]) => (reads(actor, RESOURCES[name].area) ? [kind] : []))
    const { reached, isCut } = await listReached(db, params.traced_external_key, kinds)
    if (!reached.length) throw notFound(RESOURCES.trace.missing)
    return { data: traceOf(reached, isCut), version: 1 }
  },
})
