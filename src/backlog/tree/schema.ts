import * as z from 'zod'
import { integer, storedValue, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { createItemFilters } from '../work-items/list'

/** Maximum nodes of a tree, to bound a reply to about 2 MB. */
export const MAX_NODES = 10_000

const NodePoints = z.object({
  total: z.number().meta({
    description: 'Points of a story; for an epic or a feature the points below, or the estimate if no item is below.',
  }),
  done: z.number().meta({ description: 'Points of the items that are done.' }),
})

const nodeFields = {
  type: storedValue(['epic', 'feature', 'userstory']).optional(),
  externalKey: z.string().optional(),
  id: z.int().optional(),
  summary: z.string().optional(),
  progress: z.string().optional(),
  progressPercentage: z.int().optional().meta({
    description:
      'A parent has the mean of the lowest items below, weighted by points. A lowest item that is done has 100.',
  }),
  points: NodePoints.optional(),
  score: z.number().optional(),
}

/** Only by name, because the reply would grow by a half. */
const editorFields = {
  userId: z.array(z.int()).optional().meta({ description: 'Ids of users. Only if `fields` names `userId`.' }),
  tags: z.string().optional().meta({ description: 'A serialized JSON array. Only if `fields` names `tags`.' }),
  versions: z
    .array(z.string())
    .optional()
    .meta({
      description: 'Keys of the versions that hold the item. Only if `fields` names `versions`.',
      examples: [['SV-1']],
    }),
  etag: z
    .string()
    .optional()
    .meta({ description: 'ETag for `If-Match` of a change. Only if `fields` names `etag`.', examples: ['"v3"'] }),
}
const allFields = { ...nodeFields, ...editorFields }

const NodeFields = z.object(allFields)
export type NodeFields = z.input<typeof NodeFields>
export type NodeField = keyof NodeFields

export const NODE_FIELDS = Object.keys(nodeFields) as readonly NodeField[]
export const EDITOR_FIELDS = Object.keys(editorFields) as readonly NodeField[]
const NAMED_FIELDS: readonly string[] = [...NODE_FIELDS, ...EDITOR_FIELDS]

const createParentSchema = <C extends z.ZodType>(child: C) => z.object({ ...allFields, children: z.array(child) })

const LowestNode = createParentSchema(NodeFields).meta({
  id: 'LowestNode',
  description: 'A story, which has no children.',
})
const InnerNode = createParentSchema(LowestNode).meta({
  id: 'InnerNode',
  description: 'A feature, or a story directly below the epic.',
})

export const TreeNode = createParentSchema(InnerNode).meta({
  id: 'TreeNode',
  description: 'An item with the items below.',
})

export const Tree = z
  .object({
    items: z.array(TreeNode).meta({ description: 'Epics in their order.' }),
    orphans: z.array(TreeNode).meta({ description: 'Features and stories without a parent, in their order.' }),
  })
  .meta({ id: 'Tree' })

export const TreeQuery = z.object({
  depth: integer({ min: 1, max: 3 }).default(3).meta({ description: 'Number of levels.' }),
  fields: text(1_000)
    .refine(
      (names) => names.split(',').every((name) => NAMED_FIELDS.includes(name.trim())),
      `Must be a comma-separated list of ${NAMED_FIELDS.join(', ')}`,
    )
    .optional()
    .meta({
      description: `Comma-separated names of node fields. The children are always included. Without \`fields\`, a node has ${NODE_FIELDS.join(', ')}. Only by name: ${EDITOR_FIELDS.join(', ')}.`,
      example: 'externalKey,summary',
    }),
  ...createItemFilters('Looks at the whole product.'),
  q: declareWeight(
    'walk',
    text(500).optional().meta({
      description:
        'Words, or their beginnings, in summary, description, tags or keys. An item must match each word. Looks at all matches; more than 10,000 matches are a 400.',
    }),
  ),
})
