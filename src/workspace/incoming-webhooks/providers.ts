import type { PayloadMapping } from './fields'
import { findValueAtPath } from './path'

export const WEBHOOK_PROVIDERS = ['generic', 'jira', 'github', 'gitlab', 'groundwork'] as const
export type WebhookProvider = (typeof WEBHOOK_PROVIDERS)[number]

interface ProviderProfile {
  alwaysSigns: boolean
  writesMarkdown?: true
  /** Headers with an id of the delivery, best first. A retry repeats the id. */
  deliveryIdHeaders: readonly string[]
  workItemMapping: PayloadMapping
  ideaMapping: PayloadMapping
  /** Path of the address that identifies an issue in files of the provider too. */
  addressAt?: string
  /** Name of a type of issue that says no more than our type. */
  plainIssueType?: string
  comments?: CommentProfile
  /** Whether a payload about a comment has the comment in place of the issue. */
  commentReplacesIssue?: true
  /** Paths of the account that caused the event. */
  authorsAt: readonly string[]
  /** The kind of a record that is no issue, like a pull request. */
  findOtherKind?(payload: unknown): string | undefined
  /** Labels that the issue had before the event, each a text or an object with a name. */
  findFormerLabels?(payload: unknown): unknown
  findTransfer?(payload: unknown): Transfer | undefined
  /** Whether only some people may read the issue at the sender. */
  isConfidential?(payload: unknown): boolean
  /**
   * Path of the event name in the payload, the event of a deleted issue, and events that change nothing. `members`: members
   * of the payload of a deleted issue; other payloads with the event are about a part of the issue.
   */
  endEvents?: { at: string; deleted: string; ignored?: readonly string[]; members?: readonly string[] }
}

/** An issue that has moved to another repository or project, as two payloads. */
export interface Transfer {
  from: unknown
  to: unknown
  /** The event has the content of the moved issue. */
  hasContent: boolean
  /** The event comes from where the issue was, so that it creates no record. */
  isOfFormer: boolean
}

interface CommentProfile {
  /** Path that only payloads about a comment have. */
  at: string
  /** A field of a mapping that reads one of these paths makes a record of the comment. */
  recordAt: readonly string[]
  /** Path of the address that identifies a comment in files of the provider too. */
  addressAt?: string
  /** Path of the address of the comment's own API, which has the id of the issue. */
  selfAt?: string
  isRemoved?(payload: unknown): boolean
  /** Whether only some people may read the comment at the sender. */
  isPrivate?(payload: unknown): boolean
}

const isTrueAt = (payload: unknown, ...paths: readonly string[]) =>
  paths.some((path) => findValueAtPath(payload, path) === true)

export const PROVIDER_PROFILES: Record<WebhookProvider, ProviderProfile> = {
  generic: {
    alwaysSigns: false,
    deliveryIdHeaders: ['webhook-id', 'idempotency-key', 'x-delivery-id', 'x-request-id'],
    workItemMapping: {},
    ideaMapping: {},
    authorsAt: ['$.actor.keyId', '$.actor.userId'],
  },
  groundwork: {
    alwaysSigns: true,
    deliveryIdHeaders: ['webhook-id'],
    workItemMapping: {},
    ideaMapping: {},
    authorsAt: ['$.actor.keyId', '$.actor.userId'],
  },
  github: {
    alwaysSigns: true,
    writesMarkdown: true,
    deliveryIdHeaders: ['x-github-delivery'],
    ...withSharedFields({
      shared: {
        externalId: '$.issue.id',
        tags: '$.issue.labels',
        changedAt: '$.issue.updated_at',
        'comment.id': '$.comment.id',
        'comment.text': '$.comment.body',
        'comment.authorName': '$.comment.user.login',
        'comment.createdAt': '$.comment.created_at',
        'comment.changedAt': '$.comment.updated_at',
      },
      workItem: {
        summary: '$.issue.title',
        description: '$.issue.body',
        type: '$.issue.type.name',
        progress: '$.issue.state',
        externalProgress: '$.issue.state',
        urls: '$.issue.html_url',
        parent: '$.issue.parent_issue_url',
      },
      idea: { title: '$.issue.title', long_description: '$.issue.body', type: '$.issue.type.name' },
    }),
    addressAt: '$.issue.html_url',
    comments: {
      ...{ at: '$.comment', recordAt: ['$.comment'], addressAt: '$.comment.html_url' },
      isRemoved: (payload) => findValueAtPath(payload, '$.action') === 'deleted',
    },
    authorsAt: ['$.sender.login', '$.sender.id'],
    findFormerLabels: (payload) =>
      findValueAtPath(payload, '$.action') === 'unlabeled' ? findValueAtPath(payload, '$.label') : undefined,
    findTransfer: findTransferOfGithub,
    findOtherKind: (payload) =>
      findValueAtPath(payload, '$.issue.pull_request') === undefined ? undefined : 'a pull request',
    endEvents: {
      ...{ at: '$.action', deleted: 'deleted', ignored: ['transferred'] },
      members: ['action', 'issue', 'repository', 'organization', 'enterprise', 'installation', 'sender'],
    },
  },
  gitlab: {
    alwaysSigns: true,
    writesMarkdown: true,
    deliveryIdHeaders: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
    ...withSharedFields({
      shared: {
        externalId: '$.object_attributes.id',
        tags: '$.object_attributes.labels',
        changedAt: '$.object_attributes.updated_at',
        'comment.id': '$.object_attributes.id',
        'comment.text': '$.object_attributes.note',
        'comment.author': '$.user.email',
        'comment.authorName': '$.user.name',
        'comment.createdAt': '$.object_attributes.created_at',
        'comment.changedAt': '$.object_attributes.updated_at',
      },
      workItem: {
        summary: '$.object_attributes.title',
        description: '$.object_attributes.description',
        type: '$.object_attributes.type',
        progress: '$.object_attributes.state',
        externalProgress: '$.object_attributes.state',
        urls: '$.object_attributes.url',
        endDate: '$.object_attributes.due_date',
        assignees: '$.assignees',
      },
      idea: {
        title: '$.object_attributes.title',
        long_description: '$.object_attributes.description',
        type: '$.object_attributes.type',
      },
    }),
    addressAt: '$.object_attributes.url',
    plainIssueType: 'Issue',
    comments: {
      at: '$.object_attributes.noteable_type',
      recordAt: ['$.object_attributes.note', '$.object_attributes.noteable_type', '$.object_attributes.noteable_id'],
      addressAt: '$.object_attributes.url',
      isPrivate: (payload) =>
        isTrueAt(payload, '$.object_attributes.internal', '$.object_attributes.confidential', '$.issue.confidential') ||
        findValueAtPath(payload, '$.event_type') === 'confidential_note',
    },
    commentReplacesIssue: true,
    authorsAt: ['$.user.username', '$.user.email', '$.user.id'],
    findOtherKind(payload) {
      const noted = findValueAtPath(payload, '$.object_attributes.noteable_type')
      if (isTrueAt(payload, '$.object_attributes.system')) return 'a note of the system'
      return noted === undefined || noted === 'Issue' ? undefined : `a comment of a ${String(noted)}`
    },
    isConfidential: (payload) => isTrueAt(payload, '$.object_attributes.confidential', '$.issue.confidential'),
    findFormerLabels: (payload) => findValueAtPath(payload, '$.changes.labels.previous'),
    findTransfer: findTransferOfGitlab,
  },
  jira: {
    alwaysSigns: true,
    deliveryIdHeaders: ['x-atlassian-webhook-identifier'],
    ...withSharedFields({
      shared: {
        externalId: '$.issue.id',
        tags: '$.issue.fields.labels',
        changedAt: '$.timestamp',
        'comment.id': '$.comment.id',
        'comment.text': '$.comment.body',
        'comment.author': '$.comment.author.emailAddress',
        'comment.authorName': '$.comment.author.displayName',
        'comment.parent': '$.comment.parentId',
        'comment.createdAt': '$.comment.created',
        'comment.changedAt': '$.timestamp',
      },
      workItem: {
        jiraKey: '$.issue.key',
        summary: '$.issue.fields.summary',
        description: '$.issue.fields.description',
        type: '$.issue.fields.issuetype.name',
        progress: '$.issue.fields.status.statusCategory.key',
        externalProgress: '$.issue.fields.status.name',
        endDate: '$.issue.fields.duedate',
        parent: '$.issue.fields.parent.id',
        assignees: '$.issue.fields.assignee',
        'attributes.priority': '$.issue.fields.priority.name',
      },
      idea: {
        title: '$.issue.fields.summary',
        long_description: '$.issue.fields.description',
        type: '$.issue.fields.issuetype.name',
      },
    }),
    comments: {
      ...{ at: '$.comment', recordAt: ['$.comment'], selfAt: '$.comment.self' },
      isRemoved: (payload) =>
        findValueAtPath(payload, '$.webhookEvent') === 'comment_deleted' ||
        findValueAtPath(payload, '$.issue_event_type_name') === 'issue_comment_deleted',
      isPrivate: (payload) =>
        findValueAtPath(payload, '$.comment.jsdPublic') === false ||
        (findValueAtPath(payload, '$.comment.visibility') ?? null) !== null,
    },
    authorsAt: [
      ...['$.user.accountId', '$.user.emailAddress', '$.user.name', '$.user.key'],
      ...['$.comment.updateAuthor.accountId', '$.comment.updateAuthor.emailAddress', '$.comment.updateAuthor.name'],
    ],
    endEvents: { at: '$.webhookEvent', deleted: 'jira:issue_deleted' },
    findFormerLabels: (payload) =>
      String(findValueAtPath(payload, '$.changelog.items[?(@.field=="labels")].fromString') ?? '').split(' '),
  },
}

interface SharedFields {
  shared: PayloadMapping
  workItem: PayloadMapping
  idea: PayloadMapping
}

function withSharedFields({ shared, workItem, idea }: SharedFields) {
  return { workItemMapping: { ...shared, ...workItem }, ideaMapping: { ...shared, ...idea } }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** GitHub sends an event of a transfer in both repositories: `transferred` in the former, `opened` in the new one. */
function findTransferOfGithub(payload: unknown): Transfer | undefined {
  const [event, newIssue, oldIssue] = ['$.action', '$.changes.new_issue', '$.changes.old_issue'].map((path) =>
    findValueAtPath(payload, path),
  )
  if (event === 'transferred' && isObject(newIssue)) {
    const to = { ...Object(payload), action: 'opened', issue: newIssue }
    return { from: payload, to, hasContent: true, isOfFormer: true }
  }
  if (event !== 'opened' || !isObject(oldIssue)) return undefined
  return { from: { ...Object(payload), issue: oldIssue }, to: payload, hasContent: true, isOfFormer: false }
}

/** GitLab closes the former issue, and names the id of the new one. The state of the former issue says nothing any more. */
function findTransferOfGitlab(payload: unknown): Transfer | undefined {
  const id = findValueAtPath(payload, '$.object_attributes.moved_to_id') ?? null
  if (id === null || findValueAtPath(payload, '$.object_attributes.noteable_type') !== undefined) return undefined
  const { url: _, ...issue } = Object(findValueAtPath(payload, '$.object_attributes'))
  const to = { ...Object(payload), object_attributes: { ...issue, id } }
  return { from: payload, to, hasContent: false, isOfFormer: true }
}
