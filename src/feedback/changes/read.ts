import type * as z from 'zod'
import { type Reference, referenceTo } from '../../db/sql/references'
import type { BulkOperation } from '../../http/bulk'
import {
  BODY_OF_DELETE_MESSAGE,
  createInvalidValueIssue,
  createTargetCheck,
  findEnvelopeIssues,
  isObject,
} from '../../http/bulk-envelope'
import { readFurtherMembers } from '../../http/bulk-members'
import { issuesOfError } from '../../http/issues'
import { ApiError, type Issue } from '../../text/errors'
import { readFeedbackBody } from '../ideas/read'
import { FeedbackItem, ModifyFeedbackItem } from '../ideas/schema'
import type { TagName } from '../ideas/statements'
import { MergeFeedbackItem } from '../merging/schema'
import { MAX_KEY_CHARACTERS, OPERATION_NAMES } from './schema'

type OperationName = (typeof OPERATION_NAMES)[number]
type ModifyBody = z.output<typeof ModifyFeedbackItem>

export interface IdeaChange extends BulkOperation {
  op: OperationName
  externalKey: string | undefined
  into: string | undefined
  body: ModifyBody
  tags: TagName[] | undefined
}

interface ReadBody {
  presented?: BulkOperation['presented']
  into?: string
  body?: ModifyBody
  tags?: TagName[] | undefined
  references?: readonly Reference[]
}

const ENVELOPE = {
  words: { op: OPERATION_NAMES },
  texts: { externalKey: MAX_KEY_CHARACTERS },
  example: '{"op": "update", "externalKey": "IDEA-1", "body": …}',
}

// These members change events, former slugs or ids of the item too.
const SINGLE_MEMBERS = ['slug', 'is_anonymous', 'source', 'external_id'] as const
const SINGLE_MEMBER_MESSAGE = 'Cannot be changed in a bulk request. Send PUT /api/feedback-items/{key}.'

// A merge moves all comments and copies all votes of an item.
export const MAX_MERGES_PER_REQUEST = 100
const TOO_MANY_MERGES_MESSAGE = `A request merges at most ${MAX_MERGES_PER_REQUEST} items. Send this operation in another request.`

/** An invalid operation must not reject the rest. */
export async function readIdeaChanges(given: readonly unknown[]): Promise<IdeaChange[]> {
  const checkTarget = createTargetCheck()
  const changes: IdeaChange[] = []
  let merges = 0
  for (const [index, one] of given.entries()) {
    const issues = findEnvelopeIssues(one, ENVELOPE)
    const {
      op,
      externalKey,
      body = {},
    } = (isObject(one) ? one : {}) as {
      op: OperationName
      externalKey?: string
      body?: object
    }
    if (!issues.length) issues.push(...checkTarget(op, externalKey, index))
    if (op === 'merge' && ++merges > MAX_MERGES_PER_REQUEST)
      issues.push(createInvalidValueIssue('/op', TOO_MANY_MERGES_MESSAGE))
    const read = issues.length ? {} : await readBody(op, body, issues)
    const isValid = issues.length === 0
    changes.push({
      op: OPERATION_NAMES.includes(op) ? op : 'update',
      externalKey: isValid ? externalKey : undefined,
      into: isValid ? read.into : undefined,
      body: (isValid && read.body) || {},
      tags: isValid ? read.tags : undefined,
      references: isValid ? (read.references ?? []).map((named) => ({ ...named, path: `/body${named.path}` })) : [],
      presented: read.presented,
      issues,
    })
  }
  findUnstableTargets(changes)
  return changes
}

async function readBody(op: OperationName, body: object, issues: Issue[]): Promise<ReadBody> {
  if (op === 'delete') {
    if (Object.keys(body).length) issues.push(createInvalidValueIssue('/body', BODY_OF_DELETE_MESSAGE))
    return {}
  }
  const schema = op === 'merge' ? MergeFeedbackItem : ModifyFeedbackItem
  const further = readFurtherMembers({ schema, body, shown: FeedbackItem, at: '/body', path: '/api/feedback-items' })
  const { presented } = further
  issues.push(...further.issues)
  if (op === 'merge') {
    const read = MergeFeedbackItem.safeParse(body)
    if (!read.success) issues.push(...issuesOfError(read.error, '/body'))
    return read.success
      ? { presented, into: read.data.into, references: referenceTo('feedbackItem', '/into', read.data.into) }
      : {}
  }
  const read = ModifyFeedbackItem.safeParse(body)
  if (!read.success) {
    issues.push(...issuesOfError(read.error, '/body'))
    return {}
  }
  const { several, single } = splitMembers(read.data)
  presented.members = [...presented.members, ...single.map(([name, value]) => ({ path: [name], value }))]
  presented.issues = [
    ...presented.issues,
    ...single.map(([name]) => createInvalidValueIssue(`/body/${name}`, SINGLE_MEMBER_MESSAGE)),
  ]
  try {
    const { body: checked, tags, references } = await readFeedbackBody(several)
    const { tags: _, ...own } = checked
    return { presented, body: own, tags, references }
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    issues.push(...cause.issues.map((issue) => ({ ...issue, path: `/body${issue.path}` })))
    return {}
  }
}

function splitMembers(body: ModifyBody) {
  const names: readonly string[] = SINGLE_MEMBERS
  const all = Object.entries(body).filter(([, value]) => value !== undefined)
  const single = all.filter(([name]) => names.includes(name))
  return { several: Object.fromEntries(all.filter(([name]) => !names.includes(name))) as ModifyBody, single }
}

/** The result of a merge must not depend on the order of the operations. */
function findUnstableTargets(changes: readonly IdeaChange[]): void {
  const leaving = new Map<string, number>()
  for (const [index, { op, externalKey }] of changes.entries())
    if (op !== 'update' && externalKey !== undefined) leaving.set(externalKey, index)
  for (const change of changes) {
    const { into, externalKey } = change
    if (into === undefined) continue
    const other = leaving.get(into)
    if (into === externalKey)
      change.issues.push(createInvalidValueIssue('/body/into', 'Must be the key of another item'))
    else if (other !== undefined)
      change.issues.push(
        createInvalidValueIssue('/body/into', `The operation at index ${other} merges or deletes this item`),
      )
  }
}
