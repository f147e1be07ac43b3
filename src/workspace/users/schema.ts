import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { EmailAddress, integer, line, severalOf, storedValue, Timestamp } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { USER_ROLE_MESSAGE, USER_ROLES } from '../../roles'

const UserRole = z.enum(USER_ROLES, { error: USER_ROLE_MESSAGE })
const personName = line(200).or(z.literal(''))

export const UserParams = z.object({
  userId: integer({ min: 1 }).meta({ description: 'Id of the user.', example: 1 }),
})

export const CreateUser = z
  .object({
    email: EmailAddress.meta({ description: 'Unique among the users of the workspace.' }),
    firstName: personName.optional(),
    lastName: personName.optional(),
    role: UserRole.optional().meta({
      description:
        'Default: `member`; with a key that lacks scopes of a member `viewer`, or `idm_member` if the key lacks those too.',
    }),
  })
  .meta({ id: 'CreateUser', examples: [{ email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper' }] })

export const ModifyUser = z
  .object({
    email: EmailAddress.optional(),
    firstName: personName.optional(),
    lastName: personName.optional(),
    role: UserRole.optional(),
  })
  .meta({ id: 'ModifyUser', examples: [{ lastName: 'Murray Hopper' }] })

export const ListUsers = createRestorableQuery(['-createdAt', 'createdAt', 'email', '-email']).extend({
  role: declareWeight(
    'walk',
    severalOf(UserRole).optional().meta({
      description:
        'Only users with this role, or with any of several separated by commas. Looks at 10,000 users per page: a page can be short or empty and still have a next page.',
    }),
  ),
  email: EmailAddress.optional().meta({ description: 'The user with this address.' }),
})

export const User = z
  .object({
    id: z.int(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    role: storedValue(USER_ROLES).meta({ description: '`idm_member` is a member of the idea manager.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'User', description: 'A person of the workspace.' })
