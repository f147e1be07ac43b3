import type { Mapping } from './plan'

export const PROVIDERS = ['generic', 'jira', 'github', 'gitlab'] as const
export type Provider = (typeof PROVIDERS)[number]

interface Sender {
  /** The provider always signs with a secret. */
  signs: boolean
  /** Headers with an id of the delivery, best first. A retry repeats the id. */
  ids: readonly string[]
  item: Mapping
  feedback: Mapping
  /** Path of the event name in the payload, and the names of events about a deleted or moved item. */
  ends?: { at: string; as: readonly string[] }
}

export const SENDERS: Record<Provider, Sender> = {
  generic: {
    signs: false,
    ids: ['webhook-id', 'idempotency-key', 'x-delivery-id', 'x-request-id'],
    item: {},
    feedback: {},
  },
  github: {
    signs: true,
    ids: ['x-github-delivery'],
    item: {
      externalId: '$.issue.id',
      summary: '$.issue.title',
      description: '$.issue.body',
      progress: '$.issue.state',
      externalProgress: '$.issue.state',
      urls: '$.issue.html_url',
    },
    feedback: { title: '$.issue.title', long_description: '$.issue.body' },
    ends: { at: '$.action', as: ['deleted', 'transferred'] },
  },
  gitlab: {
    signs: true,
    ids: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
    item: {
      externalId: '$.object_attributes.id',
      summary: '$.object_attributes.title',
      description: '$.object_attributes.description',
      progress: '$.object_attributes.state',
      externalProgress: '$.object_attributes.state',
      urls: '$.object_attributes.url',
    },
    feedback: { title: '$.object_attributes.title', long_description: '$.object_attributes.description' },
  },
  jira: {
    signs: true,
    ids: ['x-atlassian-webhook-identifier'],
    item: {
      externalId: '$.issue.id',
      jiraKey: '$.issue.key',
      summary: '$.issue.fields.summary',
      description: '$.issue.fields.description',
      progress: '$.issue.fields.status.statusCategory.key',
      externalProgress: '$.issue.fields.status.name',
    },
    feedback: { title: '$.issue.fields.summary', long_description: '$.issue.fields.description' },
    ends: { at: '$.webhookEvent', as: ['jira:issue_deleted'] },
  },
}
