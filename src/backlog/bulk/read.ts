import type * as z from 'zod'
import type { BulkOperation } from '../../http/bulk'
import {
  BODY_OF_DELETE_MESSAGE,
  createInvalidValueIssue,
  createTargetCheck,
  findEnvelopeIssues,
  isObject,
} from '../../http/bulk-envelope'
import { readFurtherMembers } from '../../http/bulk-members'
import { parseIfMatchVersions } from '../../http/etag'
import { issuesOfError } from '../../http/issues'
import { safeParseInput } from '../../http/safe-parse'
import { ApiError, type Issue } from '../../text/errors'
import { sanitizeDescription } from '../work-items/description'
import { listReferences } from '../work-items/references'
import {
  CreateEpic,
  CreateFeature,
  CreateUserStory,
  ModifyEpic,
  ModifyFeature,
  ModifyUserStory,
  WorkItemDetail,
} from '../work-items/schema'
import { MAX_ETAG_CHARACTERS } from './schema'

type BulkItemType = 'epic' | 'feature' | 'userstory'
type BulkOperationName = Exclude<BulkOperation['op'], 'merge'>

export type BulkItemBody = Partial<
  z.output<typeof CreateEpic> &
    z.output<typeof ModifyEpic> &
    z.output<typeof ModifyFeature> &
    z.output<typeof ModifyUserStory>
>

export interface BulkItem extends BulkOperation {
  op: BulkOperationName
  type: BulkItemType
  externalKey: string | undefined
  /** Versions as a JSON array; null accepts any version. */
  ifMatch: string | null
  parent: number | undefined
  body: BulkItemBody
}

const BODY_SCHEMAS = {
  create: { epic: CreateEpic, feature: CreateFeature, userstory: CreateUserStory },
  update: { epic: ModifyEpic, feature: ModifyFeature, userstory: ModifyUserStory },
} as const

interface OperationEnvelope {
  op: BulkOperationName
  type: BulkItemType
  externalKey?: string
  ref?: string
  parentRef?: string
  ifMatch?: string
  body?: object
}

const OPERATION_NAMES = ['create', 'update', 'delete']
const ITEM_TYPES = ['epic', 'feature', 'userstory']

const ENVELOPE = {
  words: { op: OPERATION_NAMES, type: ITEM_TYPES },
  texts: { externalKey: 30, ref: 100, parentRef: 100, ifMatch: MAX_ETAG_CHARACTERS },
  example: '{"op": "create", "type": "epic", "body": …}',
}

function toUnreadableItem(given: unknown, issues: Issue[]): BulkItem {
  const { op, ref } = isObject(given) ? given : {}
  return {
    op: OPERATION_NAMES.includes(op as string) ? (op as BulkOperationName) : 'create',
    type: 'epic',
    ref: typeof ref === 'string' ? ref.slice(0, 100) : undefined,
    externalKey: undefined,
    ifMatch: null,
    parent: undefined,
    body: {},
    references: [],
    issues,
  }
}

// Maximum named records, because each named child is a staged row.
const MAX_NAMED_RECORDS = 10_000
const TOO_MANY_RECORDS_MESSAGE = `A request names at most ${MAX_NAMED_RECORDS} other records. Send this operation in another request.`

export async function readOperations(given: readonly unknown[]): Promise<BulkItem[]> {
  const refs = new Map<string, number>()
  const checkTarget = createTargetCheck()
  const items: BulkItem[] = []
  let namedCount = 0

  function parentOf(parentRef: string | undefined, type: BulkItemType, issues: Issue[]): number | undefined {
    if (parentRef === undefined) return undefined
    const at = refs.get(parentRef)
    const parent = at === undefined ? undefined : items[at]
    if (!parent) issues.push(createInvalidValueIssue('/parentRef', 'Must be the ref of an earlier operation'))
    else if (type === 'epic' || (type === 'feature' && parent.type !== 'epic') || parent.type === 'userstory') {
      issues.push(createInvalidValueIssue('/parentRef', `Type ${type} cannot be a child of type ${parent.type}`))
    } else if (parent.op === 'delete')
      issues.push(createInvalidValueIssue('/parentRef', 'Must not be the ref of a delete operation'))
    return at
  }

  for (const [index, one] of given.entries()) {
    const problems = findEnvelopeIssues(one, ENVELOPE)
    if (problems.length) {
      items.push(toUnreadableItem(one, problems))
      continue
    }
    const { op, type, externalKey, ref, parentRef, ifMatch, body: sent = {} } = one as OperationEnvelope
    const issues: Issue[] = []
    if (op === 'create' && externalKey !== undefined)
      issues.push(
        createInvalidValueIssue('/externalKey', 'The service assigns the key of a new item. Leave out externalKey.'),
      )
    if (op === 'create' && ifMatch !== undefined)
      issues.push(createInvalidValueIssue('/ifMatch', 'A new item has no ETag. Leave out ifMatch.'))
    if (op !== 'create') issues.push(...checkTarget(op, externalKey, index))
    if (ref !== undefined && refs.has(ref))
      issues.push(createInvalidValueIssue('/ref', `The operation at index ${refs.get(ref)} already has this ref`))
    const parent = op === 'delete' ? undefined : parentOf(parentRef, type, issues)
    if (op === 'delete' && Object.keys(sent).length)
      issues.push(createInvalidValueIssue('/body', BODY_OF_DELETE_MESSAGE))
    const further = op === 'delete' ? undefined : readMembers(op, type, sent)
    issues.push(...(further?.issues ?? []))
    const checked = await readOperationBody(op, type, sent, issues)
    if (ref !== undefined && !refs.has(ref)) refs.set(ref, index)
    const others = listReferences(checked).map((one) => ({ ...one, path: `/body${one.path}` }))
    if (namedCount + others.length > MAX_NAMED_RECORDS)
      issues.push(createInvalidValueIssue('/body', TOO_MANY_RECORDS_MESSAGE))
    else namedCount += others.length
    const body = issues.length ? {} : checked
    const match = parseIfMatchVersions(ifMatch)
    items.push({
      ...{ op, type, ref, externalKey, parent, body, issues, presented: further?.presented },
      ...{ ifMatch: match, references: issues.length ? [] : others },
    })
  }
  return items
}

const PATH_BY_TYPE = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' }

const readMembers = (op: 'create' | 'update', type: BulkItemType, body: object) =>
  readFurtherMembers({
    ...{ schema: BODY_SCHEMAS[op][type], body, shown: WorkItemDetail, at: '/body' },
    created: op === 'create' ? { type, status: 'active', backlog: true } : undefined,
    path: `/api/initiatives/{product_external_key}/${PATH_BY_TYPE[type]}`,
  })

async function readOperationBody(
  op: BulkOperationName,
  type: BulkItemType,
  body: object,
  issues: Issue[],
): Promise<BulkItemBody> {
  if (op === 'delete') return {}
  const read = safeParseInput(BODY_SCHEMAS[op][type], body)
  if (!read.success) {
    issues.push(...issuesOfError(read.error, '/body'))
    return {}
  }
  if (issues.length) return {}
  const checked = read.data as BulkItemBody
  if (!checked.description) return checked
  try {
    return await sanitizeDescription(checked)
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    issues.push(...cause.issues.map((issue) => ({ ...issue, path: `/body${issue.path}` })))
    return {}
  }
}
