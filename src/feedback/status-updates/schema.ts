import * as z from 'zod'
import { createListQuery } from '../../http/pagination'
import { line, Timestamp, text } from '../../http/schemas'
import { NOTIFY_CHOICES, Notify } from '../../people/notices/schema'

const MAX_MESSAGE_CHARACTERS = 2_000

export const CreateStatusUpdate = z
  .object({
    status: z
      .union([z.int().positive(), line(100)], { error: 'Must be the name or the id of a feedback status' })
      .meta({ description: 'Name or id of a feedback status.' }),
    message: text(MAX_MESSAGE_CHARACTERS)
      .trim()
      .nullish()
      .transform((message) => message || null)
      .meta({ description: 'Plain text for the people who follow the item.' }),
    notify: Notify.default('later').meta({ description: 'When the people who follow the item get a mail.' }),
  })
  .meta({
    id: 'CreateStatusUpdate',
    examples: [{ status: 'planned', message: 'We begin in May.', notify: 'later' }, { status: 3 }],
  })

export const ListStatusUpdates = createListQuery(['-createdAt', 'createdAt'])

export const StatusUpdate = z
  .object({
    id: z.int(),
    status: z.string().meta({ description: 'Name of the status at the time of the update.', examples: ['planned'] }),
    message: z.string().nullable().meta({ description: 'Plain text.' }),
    notify: z.enum(NOTIFY_CHOICES),
    user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string() }),
    createdAt: Timestamp,
  })
  .meta({ id: 'StatusUpdate', description: 'An update on the status of a feedback item.' })
