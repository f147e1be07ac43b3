import type { PlannedComment } from '../comment'
import type { PlannedRequest } from '../plan'
import { findEcho } from './echo'
import { findLeftLabels, removeTags } from './labels'
import { addLinks } from './links'
import type { ClaimedRecord, KnownChange, LinkedIdea, RecordedChange, RecordPlan } from './queries/records'
import { UNCHANGED_RECORD } from './queries/records'
import { leaveOutRefusedFields, type Reply, type RequestSender } from './requests'

/** A delivery of a record, as far as the requests of the delivery have come. */
export interface Progress {
  /** The reply that decides about the receipt; undefined if no request was needed. */
  reply: Reply | undefined
  key: string | undefined
  /** Sentences about what has happened. */
  done: string[]
  /** Reasons for parts that are left out. */
  problems: string[]
  record: RecordedChange
  comment: RecordedChange | undefined
  /** The issue of the comment has not arrived yet. */
  isEarly?: true
}

const OLDER_REASON = 'The delivery is older than a change that has arrived.'
const ECHO_REASON = 'The delivery repeats a change that this service has sent.'
const OLDER_COMMENT_REASON = 'comment: The event is older than a change that has arrived.'
const UNREAD_TAGS_REASON = 'tags: A label left the issue, and the API key cannot read the record.'
const REMOVED_COMMENT_REASON = 'comment: The comment was removed here.'

/** After a removal only a later event counts; otherwise events of the same moment count, because times may be seconds. */
const isOlder = (changedAt: number | undefined, known: KnownChange | undefined): boolean =>
  changedAt !== undefined &&
  known?.changedAt != null &&
  (known.isRemoved ? changedAt <= known.changedAt : changedAt < known.changedAt)

export const isFailed = ({ reply }: Pick<Progress, 'reply'>): boolean => reply !== undefined && !reply.response.ok

type ChangePlan = Extract<RecordPlan, { does: 'change' }>

interface ChangeContext {
  found: ClaimedRecord
  product: string
  send: RequestSender
}

export async function applyChange(plan: ChangePlan, context: ChangeContext): Promise<Progress> {
  const { own, idea, formerIdea } = context.found
  const progress: Progress = {
    ...{ reply: undefined, key: own?.externalKey ?? idea?.externalKey },
    ...{ done: [], problems: [...plan.leftOut], record: UNCHANGED_RECORD, comment: undefined },
  }
  if (plan.isOfKnown && !own && !idea && !formerIdea)
    return { ...progress, problems: [`No record has the id ${plan.formerIds[0]}.`] }
  if (!idea && formerIdea?.isMerged)
    return { ...progress, problems: [`The idea of the issue was merged into ${formerIdea.externalKey}.`] }
  if (!idea && formerIdea) await followIdea(plan, formerIdea, context, progress)
  if (isFailed(progress)) return progress
  // The comments of a merged idea are comments of the other idea, which has a content of its own.
  if (plan.request && !(plan.comment && idea?.isMerged)) await applyRequest(plan, plan.request, context, progress)
  if (plan.comment && !isFailed(progress)) await applyComment(plan.comment, plan, context, progress)
  return progress
}

/** The idea of a transferred issue gets the id of the moved issue. */
async function followIdea(
  { record: { source, externalId } }: ChangePlan,
  { externalKey }: LinkedIdea,
  { send }: ChangeContext,
  progress: Progress,
): Promise<void> {
  const body = { source, external_id: externalId }
  const reply = await send({ method: 'PUT', path: `/api/feedback-items/${externalKey}`, body })
  progress.reply = reply
  progress.key = externalKey
  progress.done.push(reply.message ?? 'Saved')
}

async function applyRequest(
  { changedAt, record: { kind } }: ChangePlan,
  planned: PlannedRequest,
  { found, product, send }: ChangeContext,
  progress: Progress,
): Promise<void> {
  const { known, sent } = found
  if (isOlder(changedAt, known)) return void progress.problems.push(OLDER_REASON)
  const { request, problems } = addLinks(planned, found)
  const { labels } = planned
  const details = JSON.parse(known.details) as { echoes?: number[]; labels?: string[] }
  const { echoes = [] } = details
  const echo = progress.key === undefined ? undefined : findEcho(request.body as Record<string, unknown>, sent, echoes)
  const learned = {
    ...(echo && { echoes: [...echoes, echo.eventId].slice(-MAX_KNOWN_ECHOES) }),
    ...(labels && { labels: labels.present }),
  }
  const change: RecordedChange = {
    ...{ changedAt: changedAt ?? null, isRemoved: false },
    details: Object.keys(learned).length ? JSON.stringify({ ...details, ...learned }) : null,
  }
  if (echo && !echo.isPresent) {
    progress.record = change
    return void progress.problems.push(ECHO_REASON)
  }
  const first = await send(request)
  const { bodyOfStory } = request
  const suited = first.response.status === 409 && bodyOfStory ? { ...request, body: bodyOfStory } : request
  const answered = suited === request ? first : await send(suited)
  const reduced = leaveOutRefusedFields(suited, answered)
  const reply = reduced ? await send(reduced.request) : answered
  progress.reply = reply
  if (!reply.response.ok) return
  progress.key = String(reply.data?.externalKey ?? reply.data?.external_key)
  progress.done.push(reply.message ?? 'Saved')
  progress.problems.push(...problems, ...(reduced?.problems ?? []))
  progress.record = change
  const left = labels ? findLeftLabels(labels, details.labels ?? []) : []
  const { type } = suited.body as { type?: keyof typeof PATH_BY_TYPE }
  const path =
    kind === 'work_item' && type
      ? `/api/initiatives/${product}/${PATH_BY_TYPE[type]}/${progress.key}`
      : `/api/feedback-items/${progress.key}`
  const removal = await removeTags(left, { reply, path, send })
  if (removal?.response.status === 403) progress.problems.push(UNREAD_TAGS_REASON)
  else progress.reply = removal ?? reply
}

// As many as a delivery compares.
const MAX_KNOWN_ECHOES = 20

async function applyComment(
  comment: PlannedComment,
  plan: ChangePlan,
  { found, product, send }: ChangeContext,
  progress: Progress,
): Promise<void> {
  const { isRemoved, changedAt } = comment
  const change = { ...UNCHANGED_RECORD, changedAt: changedAt ?? null, isRemoved }
  if (isOlder(changedAt, found.knownComment)) return void progress.problems.push(OLDER_COMMENT_REASON)
  const { kind } = plan.record
  const comments =
    kind === 'work_item' ? `/api/initiatives/${product}/backlog/comments` : '/api/feedback-items/comments'
  if (isRemoved) {
    // A later event of an earlier moment must not create the comment.
    progress.comment = change
    if (!found.comment || found.comment.isRemoved)
      return void progress.problems.push(`comment: No comment has the id ${comment.id}.`)
    const reply = await send({ method: 'DELETE', path: `${comments}/${found.comment.id}` })
    progress.reply = reply
    progress.done.push(reply.message ?? 'Comment removed')
    return
  }
  if (found.comment?.isRemoved) return void progress.problems.push(REMOVED_COMMENT_REASON)
  const { key } = progress
  if (key === undefined) {
    progress.isEarly = true
    return void progress.problems.push(`No record has the id ${plan.record.externalId}.`)
  }
  const record = kind === 'work_item' ? `/api/initiatives/${product}/backlog/${key}` : `/api/feedback-items/${key}`
  const path = `${record}/comments/external/${plan.record.source}/${encodeURIComponent(comment.id)}`
  const reply = await send({ method: 'PUT', path, body: nameAuthor(comment.body, found) })
  progress.reply = reply
  if (!reply.response.ok) return
  progress.comment = change
  progress.done.push(reply.message ?? 'Comment saved')
}

/** An author whom the service cannot make a member is named in the text. */
function nameAuthor({ author, ...body }: PlannedComment['body'], { canNameAuthor }: ClaimedRecord) {
  if (author?.email === undefined || canNameAuthor) return { ...body, ...(author && { author }) }
  return { ...body, author: { name: author.name ?? author.email.replace(/@.*/, '') } }
}

const PATH_BY_TYPE = { epic: 'epics', feature: 'features', userstory: 'storyMap/card' }

export async function applyRemoval(
  { record, changedAt }: Extract<RecordPlan, { does: 'remove' }>,
  { found, product, send }: ChangeContext,
): Promise<Progress> {
  const { own, idea, known } = found
  const progress: Progress = {
    ...{ reply: undefined, key: own?.externalKey, done: [], problems: [], comment: undefined },
    record: UNCHANGED_RECORD,
  }
  if (isOlder(changedAt, known)) return { ...progress, problems: [OLDER_REASON] }
  progress.record = { ...UNCHANGED_RECORD, changedAt: changedAt ?? null, isRemoved: true }
  // A merged idea stays, because the idea stands for others.
  const key = own?.externalKey ?? (idea && !idea.isMerged ? idea.externalKey : undefined)
  if (key === undefined) return { ...progress, problems: [`No record has the id ${record.externalId}.`] }
  const path = own ? `/api/initiatives/${product}/${PATH_BY_TYPE[own.type]}/${key}` : `/api/feedback-items/${key}`
  const reply = await send({ method: 'DELETE', path })
  return { ...progress, reply, key, done: [reply.message ?? 'Removed'] }
}
