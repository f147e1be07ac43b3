import type { PresentedMember, ReadOnlyRefusal } from '../db/client/presented'
import { ApiError, type Issue, invalidInputError, MAX_ISSUES, summarizeIssues } from '../text/errors'
import { jsonPointer } from './issues'
import type { AnyOperation } from './operation'

const PRODUCT = '/api/initiatives/{product_external_key}'
const CONVERT = `POST ${PRODUCT}/backlog/{item_external_key}/convert`
const SCORE = `PUT ${PRODUCT}/backlog/{item_external_key}/scoring`
const IDEA = '/api/feedback-items/{feedback_external_key}'
const LINK_IDEA = `POST ${IDEA}/link`
const PUBLISH = 'POST /api/v2/changelog/{changelog_external_key}/publish'
const RELEASE = `POST ${PRODUCT}/solution-versions/{solution_version_external_key}/release`
const EXPERIMENT = `${PRODUCT}/experiments/{experiment_external_key}`
const STOP_EXPERIMENT = `POST ${EXPERIMENT}/stop`
const FIELD_OPTIONS = 'POST /api/v2/persona-board/custom-fields/{customFieldId}/options'
const SEGMENT_USERS = 'POST /api/v2/segments/{segmentId}/bulk-create-users'
const ITEM_CHANGES = { type: CONVERT, scoring: SCORE }

/** Operations that change what others only show, by the path of the records. */
export const CHANGED_BY: readonly (readonly [path: string, Readonly<Record<string, string>>])[] = [
  [`${PRODUCT}/epics`, ITEM_CHANGES],
  [`${PRODUCT}/features`, ITEM_CHANGES],
  [`${PRODUCT}/storyMap/card`, ITEM_CHANGES],
  [`${PRODUCT}/backlog/external`, { scoring: SCORE }],
  [`${PRODUCT}/solution-versions`, { releasedAt: RELEASE }],
  [
    `${PRODUCT}/experiments`,
    {
      ...{ status: STOP_EXPERIMENT, startedAt: `POST ${EXPERIMENT}/start`, stoppedAt: STOP_EXPERIMENT },
      ...{ result: STOP_EXPERIMENT, decision: STOP_EXPERIMENT },
    },
  ],
  [
    '/api/feedback-items',
    { work_item_internal_id: LINK_IDEA, work_item_external_id: LINK_IDEA, work_item_type: LINK_IDEA },
  ],
  ['/api/v2/changelog', { publishedAt: PUBLISH }],
  [
    '/api/v2/idea-manager/members',
    {
      ...{ segmentIds: SEGMENT_USERS, invitation: 'PUT /api/v2/idea-manager/members/re-invite' },
      role: 'PUT /api/v2/users/{userId}',
    },
  ],
  ['/api/v2/persona-board/custom-fields', { options: FIELD_OPTIONS }],
  ['/api/v2/incoming-webhooks', { url: 'POST /api/v2/incoming-webhooks/{incomingWebhookId}/rotate' }],
  ['/api/v2/settings/portal', { endUserSecretRotatedAt: 'POST /api/v2/settings/portal/rotate' }],
]

/** Members of a body that set what the record shows under another name. */
const SET_BY: Readonly<Record<string, string>> = {
  ...{
    category: 'category_id',
    currentStatus: 'status_id',
    product_id: 'product',
    short_description: 'long_description',
  },
  ...{ hasClientSecret: 'clientSecret', cover_photo_url: 'cover_photos' },
}

const NEVER_MESSAGE = 'The service sets this member. Leave it out, or send the present value.'

interface Written {
  /** Path of the records. */
  path: string
  body?: AnyOperation['body']
}

function explain({ path, body }: Written, [name]: PresentedMember['path']): string {
  const member = String(name)
  const operation = CHANGED_BY.find(([records]) => path.startsWith(records))?.[1][member]
  if (operation)
    return `This operation does not change the member: use ${operation}. Leave the member out, or send the present value.`
  const other = SET_BY[member]
  if (other && body && 'shape' in body && Object.hasOwn(body.shape as object, other))
    return `The member shows another one: set "${other}". Leave the member out, or send the present value.`
  return NEVER_MESSAGE
}

/** A body of an object can hold members that only the record has. */
export const refusesReadOnlyMembers = ({ body, method, acceptsUnknownMembers }: AnyOperation): boolean =>
  body !== undefined && method !== 'get' && !acceptsUnknownMembers

export const listReadOnlyIssues = (written: Written, members: readonly PresentedMember[]): Issue[] =>
  members.map(({ path }) => ({ path: jsonPointer(path), code: 'read_only', message: explain(written, path) }))

export function readOnlyError(
  op: AnyOperation,
  presented: readonly PresentedMember[],
  { positions }: Pick<ReadOnlyRefusal, 'positions'>,
): ApiError {
  const refused = positions.slice(0, MAX_ISSUES).flatMap((position) => presented[position] ?? [])
  const wrong = refused.flatMap(({ issue }) => issue ?? [])
  if (wrong.length) return invalidInputError(wrong)
  const issues = listReadOnlyIssues(op, refused)
  return new ApiError('read_only', summarizeIssues(issues), { issues })
}

/** Refuses members that differ from the answer of an operation that writes nothing. */
export function compareWithReply(op: AnyOperation, presented: readonly PresentedMember[], data: unknown): void {
  const positions = presented.flatMap(({ path, value }, position) => {
    const shown = path.reduce<unknown>((at, name) => Object(at)[name], data)
    return isShown(value, shown) ? [] : [position]
  })
  if (positions.length) throw readOnlyError(op, presented, { positions })
}

/** A part of an object is enough. */
function isShown(sent: unknown, shown: unknown): boolean {
  if (sent === null) return shown === null || shown === undefined
  if (typeof sent !== 'object') return sent === shown
  if (typeof shown !== 'object' || shown === null || Array.isArray(sent) !== Array.isArray(shown)) return false
  if (Array.isArray(sent) && sent.length !== (shown as unknown[]).length) return false
  return Object.entries(sent).every(([name, value]) => isShown(value, (shown as Record<string, unknown>)[name]))
}
