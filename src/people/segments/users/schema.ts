import * as z from 'zod'
import { MAX_NAME } from '../../members/read'
import { InviteResults, usersOf } from '../../members/schema'

export const CreateUsers = usersOf(['name', 'email'], {
  name: { type: 'string', maxLength: MAX_NAME },
  email: { type: 'string', maxLength: 254 },
}).meta({ id: 'CreateUsers', examples: [[{ name: 'Ada Lovelace', email: 'ada@example.com' }]] })

export const UsersAdded = z
  .object({
    inviteResults: InviteResults,
    segmentCount: z.int().meta({ description: 'Members of the segment afterwards.' }),
  })
  .meta({ id: 'UsersAdded' })
