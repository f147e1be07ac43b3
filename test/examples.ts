import type * as z from 'zod'
import { declaredRecords } from './records'
import { createUniqueId } from './unique'
import type { TestWorkspace } from './world'

/** The first example of a body must be a valid body. */
export function exampleBody(schema: z.ZodType): unknown {
  const examples = schema.meta()?.examples as unknown[] | undefined
  if (!examples?.length) throw new Error('A body schema has no example. Add `examples` to its `.meta()`.')
  return examples[0]
}

/** Members of an example that need a different value in each call. */
const UNIQUE_MEMBERS: Record<string, (example: unknown, here: TestWorkspace, chance: string) => unknown> = {
  product: (_, { product }) => product.externalKey,
  // A host without an address, so that no delivery leaves the machine.
  url: () => 'https://hooks.invalid/',
  label: (label, _, chance) => `${label} ${chance}`,
  email: (email, _, chance) => `${chance.toLowerCase()}-${email}`,
  externalKey: (_, __, chance) => `NEW-${chance}`,
}

/** Members with a `unique` column. A slug follows from the name. */
const RECORD_MEMBERS = new Set(
  declaredRecords.flatMap(({ fields, unique }) =>
    Object.entries(fields).flatMap(([name, field]) =>
      unique && field === unique.column && name !== 'slug' ? name : [],
    ),
  ),
)

function uniqueValue(name: string, value: unknown, workspace: TestWorkspace, chance: string): unknown {
  const change = UNIQUE_MEMBERS[name]
  if (change) return change(value, workspace, chance)
  return RECORD_MEMBERS.has(name) && typeof value === 'string' ? `${value} ${chance}` : value
}

const withOwnProduct = (item: unknown, { product }: TestWorkspace) =>
  typeof item === 'object' && item !== null && 'product' in item ? { ...item, product: product.externalKey } : item

/** The example of a body, with records of this workspace and unused names. */
export function uniqueExample(schema: z.ZodType, workspace: TestWorkspace): object {
  const example = exampleBody(schema)
  if (Array.isArray(example)) return example.map((item) => withOwnProduct(item, workspace))
  const chance = createUniqueId().slice(0, 8).toUpperCase()
  const own = Object.entries(example as object).map(([name, value]) => [
    name,
    uniqueValue(name, value, workspace, chance),
  ])
  return Object.fromEntries(own)
}
