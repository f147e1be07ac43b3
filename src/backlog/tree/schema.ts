import * as z from 'zod'
import { integer, text } from '../../http/schemas'
import { weighs } from '../../http/weight'
import { itemFilters } from '../work-items/list'

/** Maximum nodes of a tree, to bound a reply to about 2 MB. */
export const MAX_NODES = 10_000

const Points = z.object({
  total: z
    .number()
    .meta({ description: 'Of a story its story points, of an epic or a feature those below it, or its estimate.' }),
  done: z.number().meta({ description: 'Those of what is done.' }),
})

const node = {
  type: z.string().optional().meta({ description: '`epic`, `feature` or `userstory`.' }),
  externalKey: z.string().optional(),
  id: z.int().optional(),
  summary: z.string().optional(),
  progress: z.string().optional(),
  progressPercentage: z.int().optional().meta({
    description: 'Of a parent the mean of what is at the bottom below it, weighted by points; of what is done 100.',
  }),
  points: Points.optional(),
  score: z.number().optional(),
}

const NodeFields = z.object(node)
export type NodeFields = z.input<typeof NodeFields>

/** Names in `fields`; the children are always included. */
export const NODE_FIELDS = Object.keys(node) as readonly (keyof NodeFields)[]

const above = <C extends z.ZodType>(child: C) => z.object({ ...node, children: z.array(child) })

const LowestNode = above(NodeFields).meta({ id: 'LowestNode', description: 'A story: it has no children.' })
const InnerNode = above(LowestNode).meta({ id: 'InnerNode', description: 'A feature, or a story of the epic itself.' })

export const TreeNode = above(InnerNode).meta({ id: 'TreeNode', description: 'An item with what hangs below it.' })

export const Tree = z
  .object({
    items: z.array(TreeNode).meta({ description: 'Epics, in their order.' }),
    orphans: z.array(TreeNode).meta({ description: 'Features and stories without a parent, in theirs.' }),
  })
  .meta({ id: 'Tree' })

export const TreeQuery = z.object({
  depth: integer({ min: 1, max: 3 }).default(3).meta({ description: 'How many levels are shown.' }),
  fields: text(1_000)
    .refine(
      (names) => names.split(',').every((name) => (NODE_FIELDS as readonly string[]).includes(name.trim())),
      `Must be a comma-separated list of these: ${NODE_FIELDS.join(', ')}`,
    )
    .optional()
    .meta({
      description: `Comma-separated names of the fields of the nodes; their children are there in any case. One of ${NODE_FIELDS.join(', ')}.`,
      example: 'externalKey,summary',
    }),
  ...itemFilters('Walks the product.'),
  q: weighs(
    'walk',
    text(500).optional().meta({
      description:
        'Items of whose summary, description, tags or keys a word begins with each of these. Walks what matches; more than 10,000 matches are a 400.',
    }),
  ),
})
