import * as z from 'zod'
import { Timestamp } from '../../http/schemas'

export const Me = z
  .object({
    workspace: z.object({ id: z.int(), name: z.string() }),
    user: z
      .object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string(), role: z.string() })
      .meta({ description: 'User that the key acts as.' }),
    scopes: z.array(z.string()),
    products: z.array(z.string()).nullable().meta({ description: 'External keys; null for all products.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'Me', description: 'The API key of the request.' })
