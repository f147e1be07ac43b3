import * as z from 'zod'
import {
  ALL_LINKS_COST_REASON,
  declareCeiling,
  EACH_LINK_COST_REASON,
  PAGE_RECORDS_COST_REASON,
  WHOLE_EVENT_COST_REASON,
} from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries'
import { CreateTeam, ListTeams, ModifyTeam, Team, TeamDetail, TeamParams } from './schema'

export const createTeam = operation({
  id: 'createTeam',
  of: 'team',
  route: 'POST /api/v2/teams',
  summary: 'Create a team',
  description: 'The name of another team is a 409.',
  workspaceWide: true,
  body: CreateTeam,
  data: TeamDetail,
  message: 'Team saved',
  location: '/api/v2/teams/{id}',
  handle: ({ body, db }) => queries.createTeam(db, body),
})

export const listTeams = operation({
  id: 'listTeams',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'team',
  route: 'GET /api/v2/teams',
  summary: 'List teams',
  description: 'Teams, newest first, without members and products. Retrieve a single team to see both.',
  query: ListTeams,
  data: z.array(Team),
  handle: ({ query, db }) => queries.listTeams(db, query),
})

export const getTeam = operation({
  id: 'getTeam',
  ceiling: declareCeiling(7_000, ALL_LINKS_COST_REASON),
  of: 'team',
  route: 'GET /api/v2/teams/{teamId}',
  summary: 'Retrieve a team',
  description: 'The team with its members and the products that your key covers.',
  params: TeamParams,
  data: TeamDetail,
  handle: ({ params, db }) => queries.getTeam(db, params),
})

export const modifyTeam = operation({
  id: 'modifyTeam',
  ceiling: declareCeiling(15_000, WHOLE_EVENT_COST_REASON),
  of: 'team',
  route: 'PUT /api/v2/teams/{teamId}',
  summary: 'Modify a team',
  description:
    'Changes only the fields that you send; `null` clears a field. `members` and `products` replace the whole lists.',
  workspaceWide: true,
  params: TeamParams,
  body: ModifyTeam,
  data: TeamDetail,
  message: 'Team saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyTeam(db, params, body, ifMatch),
})

export const removeTeam = operation({
  id: 'removeTeam',
  ceiling: declareCeiling(710_000, EACH_LINK_COST_REASON),
  of: 'team',
  route: 'DELETE /api/v2/teams/{teamId}',
  summary: 'Remove a team',
  description: 'Work items lose the team. You can restore the team for 30 days.',
  workspaceWide: true,
  params: TeamParams,
  message: 'Team removed',
  handle: ({ params, db, ifMatch }) => queries.removeTeam(db, params, ifMatch),
})

export const restoreTeam = operation({
  id: 'restoreTeam',
  ceiling: declareCeiling(16_000, EACH_LINK_COST_REASON),
  of: 'team',
  route: 'POST /api/v2/teams/{teamId}/restore',
  summary: 'Restore a removed team',
  description:
    'The team returns with its members and products, and to the work items that lost it, unless an item got another team since.',
  workspaceWide: true,
  params: TeamParams,
  data: TeamDetail,
  message: 'Team restored',
  handle: ({ params, db }) => queries.restoreTeam(db, params),
})
