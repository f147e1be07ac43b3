import type { PayloadMapping } from './plan'

export const WEBHOOK_PROVIDERS = ['generic', 'jira', 'github', 'gitlab'] as const
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
  /** Path of the name of the issue's type, and the name that says no more than our type. */
  issueTypeAt?: string
  plainIssueType?: string
  /** Path that only payloads about a comment have. */
  commentAt?: string
  /** Whether a payload about a comment has the comment in place of the issue. */
  commentReplacesIssue?: true
  /**
   * Path of the event name in the payload, the event of a deleted issue, and events that change nothing. `members`: members
   * of the payload of a deleted issue; other payloads with the event are about a part of the issue.
   */
  endEvents?: { at: string; deleted: string; ignored?: readonly string[]; members?: readonly string[] }
}

export const PROVIDER_PROFILES: Record<WebhookProvider, ProviderProfile> = {
  generic: {
    alwaysSigns: false,
    deliveryIdHeaders: ['webhook-id', 'idempotency-key', 'x-delivery-id', 'x-request-id'],
    workItemMapping: {},
    ideaMapping: {},
  },
  github: {
    alwaysSigns: true,
    writesMarkdown: true,
    deliveryIdHeaders: ['x-github-delivery'],
    workItemMapping: {
      externalId: '$.issue.id',
      summary: '$.issue.title',
      description: '$.issue.body',
      progress: '$.issue.state',
      externalProgress: '$.issue.state',
      urls: '$.issue.html_url',
      parent: '$.issue.parent_issue_url',
      tags: '$.issue.labels',
    },
    ideaMapping: {
      ...{ externalId: '$.issue.id', title: '$.issue.title', long_description: '$.issue.body' },
      tags: '$.issue.labels',
    },
    addressAt: '$.issue.html_url',
    ...{ issueTypeAt: '$.issue.type.name', commentAt: '$.comment' },
    endEvents: {
      ...{ at: '$.action', deleted: 'deleted', ignored: ['transferred'] },
      members: ['action', 'issue', 'repository', 'organization', 'enterprise', 'installation', 'sender'],
    },
  },
  gitlab: {
    alwaysSigns: true,
    writesMarkdown: true,
    deliveryIdHeaders: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
    workItemMapping: {
      externalId: '$.object_attributes.id',
      summary: '$.object_attributes.title',
      description: '$.object_attributes.description',
      progress: '$.object_attributes.state',
      externalProgress: '$.object_attributes.state',
      urls: '$.object_attributes.url',
      tags: '$.object_attributes.labels',
      endDate: '$.object_attributes.due_date',
      assignees: '$.assignees',
    },
    ideaMapping: {
      ...{ externalId: '$.object_attributes.id', title: '$.object_attributes.title' },
      ...{ long_description: '$.object_attributes.description', tags: '$.object_attributes.labels' },
    },
    addressAt: '$.object_attributes.url',
    ...{ issueTypeAt: '$.object_attributes.type', plainIssueType: 'Issue' },
    ...{ commentAt: '$.object_attributes.noteable_type', commentReplacesIssue: true },
  },
  jira: {
    alwaysSigns: true,
    deliveryIdHeaders: ['x-atlassian-webhook-identifier'],
    workItemMapping: {
      externalId: '$.issue.id',
      jiraKey: '$.issue.key',
      summary: '$.issue.fields.summary',
      description: '$.issue.fields.description',
      progress: '$.issue.fields.status.statusCategory.key',
      externalProgress: '$.issue.fields.status.name',
      tags: '$.issue.fields.labels',
      endDate: '$.issue.fields.duedate',
      parent: '$.issue.fields.parent.id',
      assignees: '$.issue.fields.assignee',
      'attributes.priority': '$.issue.fields.priority.name',
    },
    ...{ issueTypeAt: '$.issue.fields.issuetype.name', commentAt: '$.comment' },
    ideaMapping: {
      ...{ externalId: '$.issue.id', title: '$.issue.fields.summary' },
      ...{ long_description: '$.issue.fields.description', tags: '$.issue.fields.labels' },
    },
    endEvents: { at: '$.webhookEvent', deleted: 'jira:issue_deleted' },
  },
}
