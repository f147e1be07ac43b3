import * as z from 'zod'
import { integer, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { EVENT_TYPES } from '../../resources'

export const Event = z
  .object({
    id: z.int().meta({ description: 'Number of the event in its workspace, without gaps.' }),
    type: z.string().meta({ description: 'Type of the event, like `epic.created`.' }),
    actor: z.object({
      userId: z
        .int()
        .nullable()
        .meta({ description: 'User who acted; null for the service itself and for a hidden author.' }),
      key: z.string().nullable().meta({ description: 'API key that acted; null in the same cases.' }),
    }),
    productId: z.int().nullable(),
    resourceKey: z.string().meta({ description: 'External key or id of the resource.' }),
    data: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The record at the time of the event; null if your key cannot read its area. `webhooks` in this document describes each type.',
    }),
    previous: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null.',
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event' })

export const EventQuery = z.object({
  limit: integer({ min: 1, max: 100 }).default(50).meta({ description: 'Events per page.' }),
  after: integer({ min: 0 })
    .default(0)
    .meta({ description: 'Id of the last event that you have seen; 0 starts at the first kept event.' }),
  wait: declareWeight(
    'wait',
    integer({ min: 0, max: 25 }).default(0).meta({
      description: 'Seconds to wait for a new event. Repeat the request with `after` to follow the log.',
    }),
  ),
  type: z.enum(EVENT_TYPES).optional().meta({
    description:
      'Only events of this type. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page.',
  }),
  key: text(100)
    .min(1)
    .optional()
    .meta({ description: 'Events of the resource with this external key or id, like EP-1.' }),
})
