import * as z from 'zod'
import { operation } from '../../http/operation'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries'
import { CreateLink, Link, LinkParams } from './schema'

export const listLinks = operation({
  id: 'listLinks',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/links',
  tag: 'Backlog',
  summary: 'List the links of an item',
  description: 'Those that it was given and those that others were given to it, the oldest first; 200 at most.',
  scope: 'backlog:read',
  params: WorkItemParams,
  data: z.array(Link),
  errors: ['work_item_not_found'],
  handle: async ({ params, db }) => ({ data: await queries.listLinks(db, params) }),
})

export const createLink = operation({
  id: 'createLink',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/links',
  tag: 'Backlog',
  summary: 'Link an item to another',
  description:
    'Both show the link. A second link of the same type between the two is a 409, whichever way it goes, and so is a circle of items that block each other.',
  scope: 'backlog:write',
  status: 201,
  params: WorkItemParams,
  body: CreateLink,
  data: Link,
  errors: ['work_item_not_found'],
  async handle({ params, body, db }) {
    const data = await queries.createLink(db, params, body)
    const path = `/api/initiatives/${params.product_external_key}/backlog/${params.item_external_key}/links`
    return { data, message: 'Items linked', location: `${path}/${data.id}` }
  },
})

export const removeLink = operation({
  id: 'removeLink',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/links/{linkId}',
  tag: 'Backlog',
  summary: 'Remove a link',
  description: 'From either of its ends.',
  scope: 'backlog:write',
  params: LinkParams,
  data: z.object({}),
  errors: ['work_item_not_found', 'work_item_link_not_found'],
  message: 'Link removed',
  handle: ({ params, db }) => queries.removeLink(db, params),
})
