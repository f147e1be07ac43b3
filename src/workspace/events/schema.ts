import * as z from 'zod'
import { integer, Timestamp, text } from '../../http/schemas'
import { weighs } from '../../http/weight'
import { EVENT_TYPES } from '../../resources'

export const Event = z
  .object({
    id: z.int().meta({ description: 'Counts up per workspace, without gaps.' }),
    type: z.string().meta({ description: 'Like `epic.created`.' }),
    actor: z.object({
      userId: z
        .int()
        .nullable()
        .meta({ description: 'Null for the service itself, and for an author who is not shown.' }),
      key: z.string().nullable().meta({ description: 'The API key that acted; null likewise.' }),
    }),
    productId: z.int().nullable(),
    resourceKey: z.string().meta({ description: 'External key, or id, of what it is about.' }),
    data: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The record as it then was, as `webhooks` of this document has it by type; null where the key may not read its area.',
    }),
    previous: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'Changed fields, as they were; null for names and addresses of people, which the log does not keep. Null altogether where `data` is.',
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Event' })

export const EventQuery = z.object({
  limit: integer({ min: 1, max: 100 }).default(50).meta({ description: 'Events per page.' }),
  after: integer({ min: 0 })
    .default(0)
    .meta({ description: 'Id of the last event you have seen; 0 for the first that is kept.' }),
  wait: weighs(
    'wait',
    integer({ min: 0, max: 25 }).default(0).meta({
      description:
        'Seconds to wait for an event where there is none yet, for who follows the log: ask again with `after`.',
    }),
  ),
  type: z.enum(EVENT_TYPES).optional().meta({
    description: 'Only events of this type. For a key that is limited to products it walks what happened in those.',
  }),
  key: text(100).min(1).optional().meta({ description: 'Only events about this resource, like EP-1.' }),
})
