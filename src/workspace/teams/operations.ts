import * as z from 'zod'
import { operation } from '../../http/operation'
import * as queries from './queries'
import { CreateTeam, ListTeams, ModifyTeam, Team, TeamDetail, TeamParams } from './schema'

export const createTeam = operation({
  id: 'createTeam',
  method: 'post',
  path: '/api/v2/teams',
  tag: 'Teams',
  summary: 'Create a team',
  description: 'A name that another team has is a 409.',
  scope: 'products:write',
  workspaceWide: true,
  status: 201,
  body: CreateTeam,
  data: TeamDetail,
  message: 'Team saved',
  location: '/api/v2/teams/{id}',
  handle: ({ body, db }) => queries.createTeam(db, body),
})

export const listTeams = operation({
  id: 'listTeams',
  method: 'get',
  path: '/api/v2/teams',
  tag: 'Teams',
  summary: 'List teams',
  description: 'The newest first, without members and products: those come with the single team.',
  scope: 'products:read',
  query: ListTeams,
  data: z.array(Team),
  handle: ({ query, db }) => queries.listTeams(db, query),
})

export const getTeam = operation({
  id: 'getTeam',
  method: 'get',
  path: '/api/v2/teams/{teamId}',
  tag: 'Teams',
  summary: 'Retrieve a team',
  description: 'With its members, and the products that it works on and the key covers.',
  scope: 'products:read',
  params: TeamParams,
  data: TeamDetail,
  errors: ['team_not_found'],
  handle: ({ params, db }) => queries.getTeam(db, params),
})

export const modifyTeam = operation({
  id: 'modifyTeam',
  method: 'put',
  path: '/api/v2/teams/{teamId}',
  tag: 'Teams',
  summary: 'Modify a team',
  description:
    'Changes the fields that are sent; `null` clears one. `members` and `products` replace the present ones.',
  scope: 'products:write',
  workspaceWide: true,
  params: TeamParams,
  body: ModifyTeam,
  data: TeamDetail,
  errors: ['team_not_found'],
  conditional: true,
  message: 'Team saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyTeam(db, params, body, ifMatch),
})

export const removeTeam = operation({
  id: 'removeTeam',
  method: 'delete',
  path: '/api/v2/teams/{teamId}',
  tag: 'Teams',
  summary: 'Remove a team',
  description: 'Work items lose it. It can be restored for 30 days.',
  scope: 'products:write',
  workspaceWide: true,
  params: TeamParams,
  data: z.object({}),
  errors: ['team_not_found'],
  conditional: true,
  message: 'Team removed',
  handle: ({ params, db, ifMatch }) => queries.removeTeam(db, params, ifMatch),
})

export const restoreTeam = operation({
  id: 'restoreTeam',
  method: 'post',
  path: '/api/v2/teams/{teamId}/restore',
  tag: 'Teams',
  summary: 'Restore a removed team',
  description: 'With its members and products, and on the work items that lost it, unless they got another team since.',
  scope: 'products:write',
  workspaceWide: true,
  params: TeamParams,
  data: TeamDetail,
  errors: ['team_not_found'],
  message: 'Team restored',
  handle: ({ params, db }) => queries.restoreTeam(db, params),
})
