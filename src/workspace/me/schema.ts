import * as z from 'zod'
import { Timestamp } from '../../http/schemas'

const StoredLimit = z.object({
  limit: z.int().nullable().meta({ description: 'null for no limit.' }),
  used: z.int().nullable().meta({ description: 'null without a limit.' }),
  resetsAt: Timestamp.nullable().meta({ description: 'null if the use does not end at a time.' }),
})

const UnitLimit = z.object({
  limit: z.int(),
  used: z.null(),
  resetsAt: z.null(),
})

export const Me = z
  .object({
    workspace: z.object({
      id: z.int(),
      name: z.string(),
      eraseAt: Timestamp.nullable().meta({ description: 'Time of the scheduled erasure; null without an erasure.' }),
    }),
    user: z
      .object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string(), role: z.string() })
      .meta({ description: 'User that the key acts as.' }),
    scopes: z.array(z.string()),
    products: z.array(z.string()).nullable().meta({ description: 'External keys; null for all products.' }),
    expiresAt: Timestamp,
    limits: z
      .object({
        rowsPerDay: StoredLimit.meta({ description: 'Database rows that the workspace writes in a day (UTC).' }),
        bytes: StoredLimit.meta({
          description: 'Bytes that the workspace stores in the database, an estimate that a cron corrects.',
        }),
        mailingsPerHour: StoredLimit.meta({
          description:
            'Mailings to segments and members that the workspace sends in an hour. `resetsAt` is the time when the oldest mailing stops counting.',
        }),
        unitsPerMinute: UnitLimit.meta({ description: 'Units of this API key in a minute.' }),
        workspaceUnitsPerMinute: UnitLimit.meta({ description: 'Units of all API keys of the workspace in a minute.' }),
        bulkOperationsPerMinute: UnitLimit.meta({
          description: 'Bulk operations and imports of this API key in a minute.',
        }),
      })
      .meta({
        description:
          'Limits of the key and the workspace. Limits per minute have no `used`, because the platform counts per location.',
      }),
  })
  .meta({ id: 'Me', description: 'The API key of the request.' })
