import * as z from 'zod'
import { countedKey, text } from '../../http/schemas'

export const MAX_NODES = 200

export const TraceParams = z.object({
  traced_external_key: text(30)
    .min(1)
    .meta({
      pattern: countedKey('(?:PE|OP|EX|KPI|EP|FE|US|IDEA)').source,
      description:
        'The key of a persona, an opportunity, an experiment, a KPI, a work item or a feedback item. A work item is found by a former key too.',
      example: 'KPI-1',
    }),
})

const Node = z
  .object({
    type: z
      .enum(['persona', 'opportunity', 'experiment', 'kpi', 'epic', 'feature', 'userstory', 'feedback'])
      .meta({ description: 'What it is.' }),
    externalKey: z.string(),
    title: z.string(),
    status: z.string().nullable().meta({ description: 'Its status or progress; null where it has none.' }),
  })
  .meta({ id: 'TraceNode' })

const Edge = z
  .object({
    from: z.string(),
    to: z.string(),
    kind: z
      .enum(['opportunity', 'experiment', 'kpi', 'work_item', 'feedback'])
      .meta({ description: 'What `to` is to `from`.' }),
  })
  .meta({ id: 'TraceEdge' })

export const Trace = z
  .object({
    root: z.string().meta({ description: 'The key that it begins at, as it is now.' }),
    nodes: z.array(Node).meta({ description: 'The root, then what it leads to, the nearest first.' }),
    edges: z.array(Edge).meta({ description: 'Between those: from personas over opportunities to feedback.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether there may be more: 200 nodes are reached, or links were not followed.' }),
  })
  .meta({
    id: 'Trace',
    description: 'How personas, opportunities, experiments, KPIs, work items and ideas hang together.',
  })
