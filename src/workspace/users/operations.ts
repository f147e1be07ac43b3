import * as z from 'zod'
import { operation } from '../../http/operation'
import * as queries from './queries'
import { CreateUser, ListUsers, ModifyUser, User, UserParams } from './schema'

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/api/v2/users',
  tag: 'Users',
  summary: 'Create a user',
  description:
    'An address that another user has is a 409; that of a removed user brings the user back, as sent. Nobody is invited.',
  scope: 'products:write',
  workspaceWide: true,
  status: 201,
  body: CreateUser,
  data: User,
  message: 'User saved',
  location: '/api/v2/users/{id}',
  handle: ({ body, db }) => queries.createUser(db, body),
})

export const listUsers = operation({
  id: 'listUsers',
  method: 'get',
  path: '/api/v2/users',
  tag: 'Users',
  summary: 'List users',
  description: 'Everybody of the workspace, the newest first.',
  scope: 'products:read',
  query: ListUsers,
  data: z.array(User),
  handle: ({ query, db }) => queries.listUsers(db, query),
})

export const getUser = operation({
  id: 'getUser',
  method: 'get',
  path: '/api/v2/users/{userId}',
  tag: 'Users',
  summary: 'Retrieve a user',
  description: 'By id.',
  scope: 'products:read',
  params: UserParams,
  data: User,
  errors: ['user_not_found'],
  handle: ({ params, db }) => queries.getUser(db, params),
})

export const modifyUser = operation({
  id: 'modifyUser',
  method: 'put',
  path: '/api/v2/users/{userId}',
  tag: 'Users',
  summary: 'Modify a user',
  description: 'Changes the fields that are sent. The only owner stays one: 409.',
  scope: 'products:write',
  workspaceWide: true,
  params: UserParams,
  body: ModifyUser,
  data: User,
  errors: ['user_not_found'],
  conditional: true,
  message: 'User saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyUser(db, params, body, ifMatch),
})

export const removeUser = operation({
  id: 'removeUser',
  method: 'delete',
  path: '/api/v2/users/{userId}',
  tag: 'Users',
  summary: 'Remove a user',
  description:
    'Ends the API keys of the user at once, with those that they made. The only owner cannot be removed: 409. What the user wrote stays, by nobody. It can be restored for 30 days.',
  scope: 'products:write',
  workspaceWide: true,
  params: UserParams,
  data: z.object({}),
  errors: ['user_not_found'],
  conditional: true,
  message: 'User removed',
  handle: ({ params, db, ifMatch }) => queries.removeUser(db, params, ifMatch),
})

export const restoreUser = operation({
  id: 'restoreUser',
  method: 'post',
  path: '/api/v2/users/{userId}/restore',
  tag: 'Users',
  summary: 'Restore a removed user',
  description:
    'With names, teams and segments, but not the API keys. An address that somebody else has taken since is a 409. Whoever was made or added again instead comes back without the teams and segments of before.',
  scope: 'products:write',
  workspaceWide: true,
  params: UserParams,
  data: User,
  errors: ['user_not_found'],
  message: 'User restored',
  handle: ({ params, db }) => queries.restoreUser(db, params),
})
