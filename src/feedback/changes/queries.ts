import { type BulkOutcome, makeBulkWriter, makeChunkStatements, READ_ONLY_MEMBER } from '../../db/client/bulk'
import type { Database } from '../../db/client/client'
import { packPresented } from '../../db/client/presented'
import { storedValuesByColumn } from '../../db/records/body'
import { feedbackChanges } from '../../db/schema/feedback'
import { type BulkMode, collectReferences } from '../../http/bulk'
import { ModifyFeedbackItem } from '../ideas/schema'
import { feedback } from '../ideas/statements'
import type { IdeaChange } from './read'
import {
  chooseNotices,
  markInvalidChanges,
  markReadOnlyChanges,
  mergeIdeas,
  removeIdeas,
  stageChanges,
  updateIdeas,
} from './statements'

const WRITTEN_ROWS_PER_CHANGE = 20
const changeWriter = makeBulkWriter(feedbackChanges, feedbackChanges.externalKey, WRITTEN_ROWS_PER_CHANGE)

export function changeIdeas(
  db: Database,
  items: readonly IdeaChange[],
  { dryRun, atomic }: BulkMode,
): Promise<BulkOutcome[]> {
  const { refs, named } = collectReferences(items)
  const rows = items.map(({ op, externalKey, into, body, tags, issues, presented }, n) => {
    const { notify, ...fields } = body
    const stored = {
      ...storedValuesByColumn(feedback.fields, fields),
      ...(notify && { notify }),
      ...(presented?.members.length && { [READ_ONLY_MEMBER]: packPresented(presented.members) }),
    }
    return [n, op, externalKey ?? null, into ?? null, stored, tags ?? null, named[n], issues.length ? 1 : 0]
  })
  const valid = items.filter(({ issues }) => !issues.length)
  const has = (op: IdeaChange['op']) => valid.some((item) => item.op === op)
  const fields = Object.keys(ModifyFeedbackItem.shape).filter(
    (name) => name !== 'notify' && valid.some(({ body }) => body[name as keyof typeof body] !== undefined),
  )
  const writes = [
    ...updateIdeas(
      fields,
      valid.some(({ tags }) => tags !== undefined),
    ),
    ...chooseNotices(valid.flatMap(({ body }) => (body.status_id ? [body.notify] : []))),
    ...(has('delete') ? removeIdeas() : []),
    ...(has('merge') ? mergeIdeas() : []),
  ]
  return changeWriter.write(db, items.length, [
    ...makeChunkStatements(stageChanges, rows, refs),
    markInvalidChanges({}),
    ...(valid.some(({ presented }) => presented?.members.length) ? [markReadOnlyChanges({})] : []),
    ...(atomic ? [changeWriter.refuse()] : []),
    ...(dryRun ? [] : writes),
  ])
}
