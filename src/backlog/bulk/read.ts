import * as z from 'zod'
import type { Reference } from '../../db/references'
import { ApiError, type Issue } from '../../text/errors'
import { described } from '../work-items/description'
import { references } from '../work-items/references'
import {
  CreateEpic,
  CreateFeature,
  CreateUserStory,
  ModifyEpic,
  ModifyFeature,
  ModifyUserStory,
} from '../work-items/schema'

type Type = 'epic' | 'feature' | 'userstory'
type Op = 'create' | 'update' | 'delete'

/** A body of one of the types, checked. */
export type Body = Partial<
  z.output<typeof CreateEpic> &
    z.output<typeof ModifyEpic> &
    z.output<typeof ModifyFeature> &
    z.output<typeof ModifyUserStory>
>

export interface BulkItem {
  op: Op
  type: Type
  ref: string | undefined
  externalKey: string | undefined
  /** The place of the operation that makes its parent. */
  parent: number | undefined
  body: Body
  references: Reference[]
  /** What is wrong with it already. */
  issues: Issue[]
}

const BODIES = {
  create: { epic: CreateEpic, feature: CreateFeature, userstory: CreateUserStory },
  update: { epic: ModifyEpic, feature: ModifyFeature, userstory: ModifyUserStory },
} as const

const name = (max = 100) => z.string().max(max, `Must have at most ${max} characters`).min(1).optional()
const word = () => z.string().max(10, 'Must have at most 10 characters')
const Envelope = z.object({
  op: word().pipe(z.enum(['create', 'update', 'delete'], { error: 'Must be "create", "update" or "delete"' })),
  type: word().pipe(z.enum(['epic', 'feature', 'userstory'], { error: 'Must be "epic", "feature" or "userstory"' })),
  externalKey: name(30),
  ref: name(),
  parentRef: name(),
  body: z
    .custom<object>((body) => typeof body === 'object' && body !== null && !Array.isArray(body), 'Must be an object')
    .optional(),
})

const issuesOf = (error: z.ZodError, at: string): Issue[] =>
  error.issues.map(({ path, code, message }) => ({ path: [at, ...path.map(String)].join('/'), code, message }))

const wrong = (path: string, message: string): Issue => ({ path, code: 'invalid_value', message })

const BY_ITSELF = 'Is not part of a bulk. Modify the item by itself.'

/** Reads the operations one by one: a wrong one does not keep the others out. */
export async function readOperations(given: readonly unknown[]): Promise<BulkItem[]> {
  const refs = new Map<string, number>()
  const keys = new Map<string, number>()
  const items: BulkItem[] = []

  function parentOf(parentRef: string | undefined, type: Type, issues: Issue[]): number | undefined {
    if (parentRef === undefined) return undefined
    const at = refs.get(parentRef)
    const parent = at === undefined ? undefined : items[at]
    if (!parent) issues.push(wrong('/parentRef', 'Must be the ref of an earlier operation'))
    else if (type === 'epic' || (type === 'feature' && parent.type !== 'epic') || parent.type === 'userstory') {
      issues.push(wrong('/parentRef', `A ${type} cannot hang on a ${parent.type}`))
    } else if (parent.op === 'delete') issues.push(wrong('/parentRef', 'Must not be the ref of what is deleted'))
    return at
  }

  for (const [index, one] of given.entries()) {
    const read = Envelope.safeParse(one)
    if (!read.success) {
      const issues = issuesOf(read.error, '')
      const { op = 'create', type = 'epic', ref } = (typeof one === 'object' && one ? one : {}) as Partial<BulkItem>
      const known = ['create', 'update', 'delete'].includes(op)
      const item = { op: known ? op : 'create', type, ref: typeof ref === 'string' ? ref.slice(0, 100) : undefined }
      items.push({ ...item, externalKey: undefined, parent: undefined, body: {}, references: [], issues } as BulkItem)
      continue
    }
    const { op, type, externalKey, ref, parentRef, body = {} } = read.data
    const issues: Issue[] = []
    if (op === 'create' && externalKey !== undefined)
      issues.push(wrong('/externalKey', 'Is given by the service to what is made. Leave it out.'))
    if (op !== 'create') {
      const before = externalKey === undefined ? undefined : keys.get(externalKey)
      if (externalKey === undefined) issues.push(wrong('/externalKey', `Must name what is to be ${op}d`))
      else if (before !== undefined)
        issues.push(wrong('/externalKey', `Is named by the operation at ${before} already`))
      else keys.set(externalKey, index)
    }
    if (ref !== undefined && refs.has(ref)) issues.push(wrong('/ref', `Is that of the operation at ${refs.get(ref)}`))
    const parent = op === 'delete' ? undefined : parentOf(parentRef, type, issues)
    const checked = await bodyOf(op, type, body, issues)
    if (ref !== undefined && !refs.has(ref)) refs.set(ref, index)
    const named = references(checked).map((one) => ({ ...one, path: `/body${one.path}` }))
    items.push({ op, type, ref, externalKey, parent, body: checked, references: named, issues })
  }
  return items
}

async function bodyOf(op: Op, type: Type, body: object, issues: Issue[]): Promise<Body> {
  if (op === 'delete') return {}
  for (const list of ['kpis', 'files'] as const)
    if (op === 'update' && list in body) issues.push(wrong(`/body/${list}`, BY_ITSELF))
  const read = BODIES[op][type].safeParse(body)
  if (!read.success) {
    issues.push(...issuesOf(read.error, '/body'))
    return {}
  }
  const checked = read.data as Body
  if (!checked.description) return checked
  try {
    return await described(checked)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    issues.push(...cause.issues.map((issue) => ({ ...issue, path: `/body${issue.path}` })))
    return {}
  }
}
