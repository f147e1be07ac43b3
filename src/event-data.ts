import * as z from 'zod'
import { LINK_TYPES } from './backlog/links/schema'
import { Card } from './backlog/story-maps/cards/schema'
import { KpiRecord } from './discovery/kpis/records/schema'
import { DecimalText } from './discovery/kpis/schema'
import { Opportunity } from './discovery/personas/opportunities/schema'
import { FeedbackItem } from './feedback/ideas/schema'
import { Timestamp } from './http/schemas'
import { Member } from './people/members/schema'
import type { EventType } from './resources'

const key = z.string().meta({ examples: ['IDEA-1'] })
const place = z.int().nullable()
const outage = z.object({ provider: z.string().meta({ examples: ['resend'] }), since: Timestamp })
const Count = z.object({ count: z.int() })
const subscribing = z.object({
  external_key: key,
  user_id: z.int().nullable().meta({ description: 'Null of an anonymous author.' }),
})
const BEYOND = 'Null for a key that is limited to products and does not cover its product.'
const end = z.string().nullable()
const otherKey = key.nullable()
const link = z.object({
  id: z.int(),
  type: z.enum(LINK_TYPES),
  from: end.meta({ description: BEYOND, examples: ['EP-1'] }),
  to: end.meta({ description: BEYOND, examples: ['EP-2'] }),
  createdAt: Timestamp,
})
const People = z
  .object({ created: z.int(), updated: z.int(), added: z.int() })
  .meta({ description: 'Of many people at once, how many they were; `added`: to segments.' })
const memberOrPeople = z.union([Member, People])

/** Events whose data differs from the record that GET returns. */
export const EVENT_DATA = {
  'story_map.card_placed': Card.omit({ summary: true, progress: true }),
  'story_map.card_removed': z.object({ externalKey: z.string(), stepId: z.int(), swimlaneId: place }),
  'story_map.steps_moved': Count.extend({ fromActivityId: z.int(), toActivityId: z.int() }),
  'story_map.cards_moved': z.union([
    Count.extend({ fromStepId: z.int(), toStepId: z.int() }),
    Count.extend({ fromSwimlaneId: z.int(), toSwimlaneId: place }),
  ]),
  'work_item_link.created': link,
  'work_item_link.deleted': link,

  'feedback.voted': z.object({
    external_key: key,
    user_id: z.int().nullable(),
    type: z.enum(['up', 'down', 'none']),
    vote: z.int(),
    down_vote: z.int(),
  }),
  'feedback.status_changed': FeedbackItem.pick({
    ...{ id: true, external_key: true, slug: true, title: true, status_id: true, currentStatus: true },
  }),
  'feedback.merged': z.union([
    z.object({ external_key: key, into: otherKey.meta({ description: BEYOND }) }),
    FeedbackItem.extend({ merged: otherKey.meta({ description: `What has gone into it. ${BEYOND}` }) }),
  ]),
  'feedback.unmerged': z.union([
    z.object({ external_key: key, from: otherKey.meta({ description: BEYOND }) }),
    FeedbackItem.extend({ unmerged: otherKey.meta({ description: `What has come out of it. ${BEYOND}` }) }),
  ]),
  'feedback.subscribed': subscribing,
  'feedback.unsubscribed': subscribing,

  'segment.users_added': Count,
  'segment.users_removed': Count,
  'member.created': memberOrPeople,
  'member.updated': memberOrPeople,
  'member.invited': Count,
  'member.unsubscribed': z.object({
    email: z.string().nullable(),
    segmentId: z.int().meta({ description: 'The segment whose mail they want no more; 0 for all mail.' }),
  }),

  'mail_provider.down': outage.extend({ reason: z.string() }),
  'mail_provider.restored': outage.extend({ until: Timestamp }),

  'kpi.records_inserted': Count.extend({ rejected: z.int() }),
  'kpi.record_deleted': KpiRecord,
  'kpi.target_reached': z.object({
    value: DecimalText.meta({
      description: 'The latest record; with the `aggregate` `sum` the sum of the last day (UTC), as in the trend.',
    }),
    createdAt: Timestamp.meta({ description: 'The moment of the latest record.' }),
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
} as const satisfies Partial<Record<EventType, z.ZodType>>
