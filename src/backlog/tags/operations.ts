import * as z from 'zod'
import { declareCeiling, EACH_LINK_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'
import { CreateTag, ListTags, MergeTag, ModifyTag, Tag, TagParams } from './schema'

export const createTag = operation({
  id: 'createTag',
  of: 'tag',
  route: 'POST /api/initiatives/{product_external_key}/tags',
  summary: 'Create a tag',
  description: 'A name is a 409 if another tag of the product has its slug.',
  params: ProductParams,
  body: CreateTag,
  data: Tag,
  message: 'Tag saved',
  location: '/api/initiatives/{product_external_key}/tags/{id}',
  handle: ({ body, db }) => queries.createTag(db, body),
})

export const listTags = operation({
  id: 'listTags',
  of: 'tag',
  route: 'GET /api/initiatives/{product_external_key}/tags',
  summary: 'List tags',
  description: 'Tags in the order of their names, each with its number of uses.',
  params: ProductParams,
  query: ListTags,
  data: z.array(Tag),
  handle: ({ query, db }) => queries.listTags(db, query),
})

export const getTag = operation({
  id: 'getTag',
  of: 'tag',
  route: 'GET /api/initiatives/{product_external_key}/tags/{tagId}',
  summary: 'Retrieve a tag',
  description: 'Includes the number of uses.',
  params: TagParams,
  data: Tag,
  handle: ({ params, db }) => queries.getTag(db, params),
})

export const modifyTag = operation({
  id: 'modifyTag',
  of: 'tag',
  route: 'PUT /api/initiatives/{product_external_key}/tags/{tagId}',
  summary: 'Modify a tag',
  description:
    'Changes the fields that you send; `null` clears a field. A new name makes a new slug. Names in the `tags` of work items stay as they are.',
  params: TagParams,
  body: ModifyTag,
  data: Tag,
  message: 'Tag saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyTag(db, params, body, ifMatch),
})

export const removeTag = operation({
  id: 'removeTag',
  of: 'tag',
  route: 'DELETE /api/initiatives/{product_external_key}/tags/{tagId}',
  summary: 'Remove a tag',
  description: 'Ideas no longer show the tag. You can restore the tag for 30 days.',
  params: TagParams,
  message: 'Tag removed',
  handle: ({ params, db, ifMatch }) => queries.removeTag(db, params, ifMatch),
})

export const restoreTag = operation({
  id: 'restoreTag',
  ceiling: declareCeiling(100_000, EACH_LINK_COST_REASON),
  of: 'tag',
  route: 'POST /api/initiatives/{product_external_key}/tags/{tagId}/restore',
  summary: 'Restore a removed tag',
  description: 'The tag returns to its ideas. A slug that another tag has taken since is a 409.',
  params: TagParams,
  data: Tag,
  message: 'Tag restored',
  handle: ({ params, db }) => queries.restoreTag(db, params),
})

export const mergeTag = operation({
  id: 'mergeTag',
  ceiling: declareCeiling(140_000, EACH_LINK_COST_REASON),
  of: 'tag',
  route: 'POST /api/initiatives/{product_external_key}/tags/{tagId}/merge',
  summary: 'Merge a tag into another tag',
  description:
    'Ideas with this tag get the other tag, which is the response. This tag is removed. Names in the `tags` of work items stay as they are.',
  params: TagParams,
  body: MergeTag,
  data: Tag,
  message: 'Tags merged',
  handle: ({ params, body, db }) => queries.mergeTag(db, params, body.into),
})
