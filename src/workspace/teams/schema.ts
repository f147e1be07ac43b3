import * as z from 'zod'
import { createRestorableQuery } from '../../http/pagination'
import { integer, line, Timestamp, text } from '../../http/schemas'
import { declareWeight } from '../../http/weight'
import { ProductExternalKey } from '../products/schema'

const MAX_LINKS_PER_TEAM = 1_000

export const TeamParams = z.object({
  teamId: integer({ min: 1 }).meta({ description: 'Id of the team.', example: 1 }),
})

const teamMemberIds = z
  .array(z.int().positive())
  .max(MAX_LINKS_PER_TEAM)
  .meta({ description: 'Ids of all users in the team.' })
const teamProductKeys = z
  .array(ProductExternalKey)
  .max(MAX_LINKS_PER_TEAM)
  .meta({ description: 'External keys of all products of the team.' })

export const CreateTeam = z
  .object({
    name: line(200).meta({ description: 'Unique among the teams of the workspace.' }),
    color: text(50).optional(),
    members: teamMemberIds.optional(),
    products: teamProductKeys.optional(),
  })
  .meta({ id: 'CreateTeam', examples: [{ name: 'Payments', color: '#2f80ed' }] })

export const ModifyTeam = z
  .object({
    name: line(200).optional(),
    color: text(50).nullable().optional(),
    members: teamMemberIds.optional(),
    products: teamProductKeys.optional(),
  })
  .meta({ id: 'ModifyTeam', examples: [{ color: '#27ae60' }] })

export const ListTeams = createRestorableQuery(['-createdAt', 'createdAt', 'name', '-name']).extend({
  q: declareWeight(
    'walk',
    text(500).optional().meta({
      description:
        'Beginnings of words in the name: a team must match each beginning. Looks at the newest 10,000 matches.',
    }),
  ),
})

export const Team = z
  .object({
    id: z.int(),
    name: z.string(),
    color: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Team', description: 'A team of users.' })

export const TeamDetail = Team.extend({
  members: z.array(z.int()).meta({ description: 'Ids of users.' }),
  products: z.array(z.string()).meta({ description: 'External keys.' }),
}).meta({ id: 'TeamDetail', description: 'A team, with its members and products.' })
