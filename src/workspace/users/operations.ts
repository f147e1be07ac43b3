import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { newRoleWithin } from '../../roles'
import * as queries from './queries'
import { requireCoveredRole } from './roles'
import { CreateUser, ListUsers, ModifyUser, User, UserParams } from './schema'

export const createUser = operation({
  id: 'createUser',
  of: 'user',
  route: 'POST /api/v2/users',
  summary: 'Create a user',
  description:
    'The address of another user is a 409. The address of a removed user restores the user with the fields that you send. No invitation is sent. You cannot give a role with scopes that your key lacks (403).',
  workspaceWide: true,
  body: CreateUser,
  data: User,
  message: 'User saved',
  location: '/api/v2/users/{id}',
  async handle({ body, db, actor }) {
    requireCoveredRole(actor, body.role)
    return queries.createUser(db, { ...body, role: body.role ?? newRoleWithin(actor.scopes) })
  },
})

export const listUsers = operation({
  id: 'listUsers',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'user',
  route: 'GET /api/v2/users',
  summary: 'List users',
  description: 'All people of the workspace, newest first.',
  query: ListUsers,
  data: z.array(User),
  handle: ({ query, db }) => queries.listUsers(db, query),
})

export const getUser = operation({
  id: 'getUser',
  of: 'user',
  route: 'GET /api/v2/users/{userId}',
  summary: 'Retrieve a user',
  description: 'The user with this id.',
  params: UserParams,
  data: User,
  handle: ({ params, db }) => queries.getUser(db, params),
})

export const modifyUser = operation({
  id: 'modifyUser',
  of: 'user',
  route: 'PUT /api/v2/users/{userId}',
  summary: 'Modify a user',
  description:
    'Changes only the fields that you send. A new role for the only owner is a 409. A new role ends the sessions of the user, and the API keys that were created in these sessions with scopes beyond the new role. You can neither give a role with scopes that your key lacks, nor change the role or the address of a user with such a role (403).',
  workspaceWide: true,
  params: UserParams,
  body: ModifyUser,
  data: User,
  message: 'User saved',
  async handle({ params, body, db, actor, ifMatch }) {
    requireCoveredRole(actor, body.role)
    return queries.modifyUser(db, params, body, ifMatch)
  },
})

export const removeUser = operation({
  id: 'removeUser',
  ceiling: declareCeiling(110_000, EACH_LINK_COST_REASON),
  of: 'user',
  route: 'DELETE /api/v2/users/{userId}',
  summary: 'Remove a user',
  description:
    'Ends the sessions and API keys of the user at once, together with the keys that they created. The removal of the only owner is a 409, and of a user whose role has scopes that your key lacks a 403. Content of the user stays, without the name. You can restore the user for 30 days.',
  workspaceWide: true,
  params: UserParams,
  message: 'User removed',
  handle: ({ params, db, ifMatch }) => queries.removeUser(db, params, ifMatch),
})

export const restoreUser = operation({
  id: 'restoreUser',
  of: 'user',
  route: 'POST /api/v2/users/{userId}/restore',
  summary: 'Restore a removed user',
  description:
    'The user returns with role, names, teams and segments, but without API keys. A user whose role has scopes that your key lacks is a 403. An address that another user has now is a 409. A removed user who is created or imported again returns without the former teams and segments.',
  workspaceWide: true,
  params: UserParams,
  data: User,
  message: 'User restored',
  handle: ({ params, db }) => queries.restoreUser(db, params),
})
