import * as z from 'zod'
import { operation } from '../../http/operation'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries'
import { CreateLink, Link, LinkParams } from './schema'

export const listLinks = operation({
  id: 'listLinks',
  of: 'work_item',
  route: 'GET /api/initiatives/{product_external_key}/backlog/{item_external_key}/links',
  summary: 'List the links of an item',
  description: 'Links in both directions, the oldest first. An item has at most 200 links.',
  params: WorkItemParams,
  data: z.array(Link),
  handle: async ({ params, db }) => ({ data: await queries.listLinks(db, params) }),
})

export const createLink = operation({
  id: 'createLink',
  of: 'work_item',
  route: 'POST /api/initiatives/{product_external_key}/backlog/{item_external_key}/links',
  storesRecords: true,
  summary: 'Link an item to another item',
  description:
    'Both items show the link. A second link of the same type between two items is a 409, in either direction. A circle of items that block each other is a 409 too. An item with 200 links accepts no further link (409).',
  status: 201,
  params: WorkItemParams,
  body: CreateLink,
  data: Link,
  message: 'Items linked',
  async handle({ params, body, db }) {
    const data = await queries.createLink(db, params, body)
    const path = `/api/initiatives/${params.product_external_key}/backlog/${params.item_external_key}/links`
    return { data, location: `${path}/${data.id}` }
  },
})

export const removeLink = operation({
  id: 'removeLink',
  of: 'work_item',
  route: 'DELETE /api/initiatives/{product_external_key}/backlog/{item_external_key}/links/{linkId}',
  summary: 'Remove a link',
  description: 'Removes the link from both items.',
  params: LinkParams,
  errors: ['work_item_not_found', 'work_item_link_not_found'],
  message: 'Link removed',
  conditional: false,
  handle: ({ params, db }) => queries.removeLink(db, params),
})
