import * as z from 'zod'
import { LINK_TYPES } from './backlog/links/schema'
import { Card } from './backlog/story-maps/cards/schema'
import { KpiRecord } from './discovery/kpis/records/schema'
import { DecimalText } from './discovery/kpis/schema'
import { Opportunity } from './discovery/personas/opportunities/schema'
import { VoteOfWorkspace } from './feedback/all-votes/schema'
import { FeedbackItem } from './feedback/ideas/schema'
import { StatusUpdate } from './feedback/status-updates/schema'
import { Timestamp } from './http/schemas'
import { MailPreferences } from './people/preferences/schema'
import type { EventType } from './resources'
import { WorkspaceErasureEvent } from './workspace/erasure/schema'
import { WorkspaceRestoredEvent } from './workspace/exports/schema'
import { SignInSettings } from './workspace/sign-in-settings/schema'

const ideaKey = z.string().meta({ examples: ['IDEA-1'] })
const nullableId = z.int().nullable()
const outageData = z.object({ provider: z.string().meta({ examples: ['resend'] }), since: Timestamp })
const EventCount = z.object({ count: z.int() })
const UserIds = EventCount.extend({
  userIds: z.array(z.int()).meta({ description: 'At most 1,000 users; a change of more users has several events.' }),
})
const subscriptionData = z.object({
  external_key: ideaKey,
  user_id: z.int().nullable().meta({ description: 'Null for an anonymous item.' }),
})
const HIDDEN_KEY_DESCRIPTION =
  'Null for a key that is limited to products and does not cover the product of this record.'
const linkEndKey = z.string().nullable()
const followerData = z.object({ id: z.int().meta({ description: 'Id of the member.' }) })
const nullableIdeaKey = ideaKey.nullable()
const linkData = z.object({
  id: z.int(),
  type: z.enum(LINK_TYPES),
  from: linkEndKey.meta({ description: HIDDEN_KEY_DESCRIPTION, examples: ['EP-1'] }),
  to: linkEndKey.meta({ description: HIDDEN_KEY_DESCRIPTION, examples: ['EP-2'] }),
  fromId: z.int(),
  toId: z.int(),
  createdAt: Timestamp,
})

export const EVENT_DATA = {
  'workspace.erase_scheduled': WorkspaceErasureEvent,
  'workspace.erase_canceled': WorkspaceErasureEvent,
  'workspace.restored': WorkspaceRestoredEvent,

  'sign_in_settings.updated': SignInSettings,

  'story_map.card_placed': Card.omit({ summary: true, progress: true }),
  'story_map.card_removed': z.object({ externalKey: z.string(), stepId: z.int(), swimlaneId: nullableId }),
  'story_map.steps_moved': EventCount.extend({ fromActivityId: z.int(), toActivityId: z.int() }),
  'story_map.cards_moved': z.union([
    EventCount.extend({ fromStepId: z.int(), toStepId: z.int() }),
    EventCount.extend({ fromSwimlaneId: z.int(), toSwimlaneId: nullableId }),
  ]),
  'work_item_link.created': linkData,
  'work_item_link.deleted': linkData,

  'vote.created': VoteOfWorkspace,
  'vote.updated': VoteOfWorkspace,
  'vote.deleted': VoteOfWorkspace,
  'feedback.voted': z.object({
    external_key: ideaKey,
    user_id: z.int().nullable(),
    type: z.enum(['up', 'down', 'none']),
    vote: z.int(),
    down_vote: z.int(),
  }),
  'feedback.status_changed': FeedbackItem.pick({
    ...{ id: true, external_key: true, slug: true, title: true, status_id: true, currentStatus: true },
  }),
  'feedback.status_update_created': StatusUpdate.extend({ external_key: ideaKey }),
  'feedback.merged': z.union([
    z.object({ external_key: ideaKey, into: nullableIdeaKey.meta({ description: HIDDEN_KEY_DESCRIPTION }) }),
    FeedbackItem.extend({
      merged: nullableIdeaKey.meta({ description: `Key of the item merged into this item. ${HIDDEN_KEY_DESCRIPTION}` }),
    }),
  ]),
  'feedback.unmerged': z.union([
    z.object({ external_key: ideaKey, from: nullableIdeaKey.meta({ description: HIDDEN_KEY_DESCRIPTION }) }),
    FeedbackItem.extend({
      unmerged: nullableIdeaKey.meta({
        description: `Key of the item unmerged from this item. ${HIDDEN_KEY_DESCRIPTION}`,
      }),
    }),
  ]),
  'feedback.subscribed': subscriptionData,
  'feedback.unsubscribed': subscriptionData,

  'segment.users_added': UserIds,
  'segment.users_removed': UserIds,
  'segment.confirmations_requested': UserIds,
  'segment.users_confirmed': UserIds,
  'member.invited': UserIds,
  'member.unsubscribed': z.object({
    email: z.string().nullable(),
    segmentId: z.int().meta({ description: 'Id of the segment whose mail the member has left; 0 for all mail.' }),
  }),
  'member.mail_preferences_updated': MailPreferences,
  'member.changelog_followed': followerData,
  'member.changelog_left': followerData,

  'mail_provider.down': outageData.extend({ reason: z.string() }),
  'mail_provider.restored': outageData.extend({ until: Timestamp }),

  'kpi.records_inserted': EventCount.extend({
    rejected: z.int().meta({ description: 'Rejected records of the request; 0 in its further events.' }),
    replaced: z
      .literal(true)
      .optional()
      .meta({ description: 'With `mode=upsert`: the records replace all records of their times.' }),
    records: z.array(KpiRecord).meta({ description: 'At most 1,000 records; a larger insert has several events.' }),
  }),
  'kpi.record_deleted': KpiRecord,
  'kpi.records_deleted': EventCount.extend({
    records: z.array(KpiRecord).meta({ description: 'At most 1,000 records; a larger removal has several events.' }),
  }),
  'kpi.target_reached': z.object({
    value: DecimalText.meta({
      description:
        'Value of the latest record; for the `aggregate` `sum`, the sum of the last day (UTC), as in the trend.',
    }),
    createdAt: Timestamp.meta({ description: 'Time of the latest record.' }),
  }),
  'persona.documentation_updated': Opportunity,

  'webhook.replayed': z
    .object({
      id: z.int(),
      from: Timestamp.nullable(),
      to: Timestamp.nullable(),
      eventId: z.int().nullable(),
    })
    .meta({ description: 'A range of time, or one event.' }),
  'incoming_webhook.replayed': z.object({ id: z.int(), receiptId: z.int() }),
} as const satisfies Partial<Record<EventType, z.ZodType>>
