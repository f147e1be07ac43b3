import * as z from 'zod'
import { numberedKeyPattern, text } from '../../http/schemas'

export const MAX_TRACE_NODES = 200

export const TraceParams = z.object({
  traced_external_key: text(30)
    .min(1)
    .meta({
      pattern: numberedKeyPattern('(?:PE|OP|EX|KPI|EP|FE|US|IDEA)').source,
      description:
        'The key of a persona, an opportunity, an experiment, a KPI, a work item or a feedback item. A former key of a work item works too.',
      example: 'KPI-1',
    }),
})

const TraceNode = z
  .object({
    type: z
      .enum(['persona', 'opportunity', 'experiment', 'kpi', 'epic', 'feature', 'userstory', 'feedback'])
      .meta({ description: 'Kind of record.' }),
    externalKey: z.string(),
    title: z.string(),
    status: z.string().nullable().meta({ description: 'Status or progress of the record, or null.' }),
  })
  .meta({ id: 'TraceNode' })

const TraceEdge = z
  .object({
    from: z.string(),
    to: z.string(),
    kind: z
      .enum(['opportunity', 'experiment', 'kpi', 'work_item', 'feedback'])
      .meta({ description: 'Kind of the record `to`.' }),
  })
  .meta({ id: 'TraceEdge' })

export const Trace = z
  .object({
    root: z.string().meta({ description: 'Current key of the traced record.' }),
    nodes: z.array(TraceNode).meta({ description: 'The root, then the linked records, nearest first.' }),
    edges: z.array(TraceEdge).meta({ description: 'Links between the nodes, from personas toward feedback.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether records may be missing, due to the limit of 200 nodes or links not followed.' }),
  })
  .meta({
    id: 'Trace',
    description: 'Links between personas, opportunities, experiments, KPIs, work items and ideas.',
  })
