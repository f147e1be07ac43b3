import * as z from 'zod'
import { operation } from '../../http/operation'
import { ProductParams } from '../../http/schemas'
import * as queries from './queries'
import { CreateTag, ListTags, MergeTag, ModifyTag, Tag, TagParams } from './schema'

export const createTag = operation({
  id: 'createTag',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/tags',
  tag: 'Tags',
  summary: 'Create a tag',
  description: 'A name whose slug another tag of the product has is a 409.',
  scope: 'products:write',
  status: 201,
  params: ProductParams,
  body: CreateTag,
  data: Tag,
  message: 'Tag saved',
  location: '/api/initiatives/{product_external_key}/tags/{id}',
  handle: ({ body, db }) => queries.createTag(db, body),
})

export const listTags = operation({
  id: 'listTags',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/tags',
  tag: 'Tags',
  summary: 'List tags',
  description: 'By name, each with how often it is used.',
  scope: 'products:read',
  params: ProductParams,
  query: ListTags,
  data: z.array(Tag),
  handle: ({ query, db }) => queries.listTags(db, query),
})

export const getTag = operation({
  id: 'getTag',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/tags/{tagId}',
  tag: 'Tags',
  summary: 'Retrieve a tag',
  description: 'With how often it is used.',
  scope: 'products:read',
  params: TagParams,
  data: Tag,
  errors: ['tag_not_found'],
  handle: ({ params, db }) => queries.getTag(db, params),
})

export const modifyTag = operation({
  id: 'modifyTag',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/tags/{tagId}',
  tag: 'Tags',
  summary: 'Modify a tag',
  description:
    'Changes the fields that are sent; `null` clears one. A new name makes a new slug; names in the `tags` of work items stay as they are.',
  scope: 'products:write',
  params: TagParams,
  body: ModifyTag,
  data: Tag,
  errors: ['tag_not_found'],
  conditional: true,
  message: 'Tag saved',
  handle: ({ params, body, db, ifMatch }) => queries.modifyTag(db, params, body, ifMatch),
})

export const removeTag = operation({
  id: 'removeTag',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/tags/{tagId}',
  tag: 'Tags',
  summary: 'Remove a tag',
  description: 'Ideas show it no more. It can be restored for 30 days.',
  scope: 'products:write',
  params: TagParams,
  data: z.object({}),
  errors: ['tag_not_found'],
  conditional: true,
  message: 'Tag removed',
  handle: ({ params, db, ifMatch }) => queries.removeTag(db, params, ifMatch),
})

export const restoreTag = operation({
  id: 'restoreTag',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/tags/{tagId}/restore',
  tag: 'Tags',
  summary: 'Restore a removed tag',
  description: 'On the ideas that carried it. A slug that another tag has taken since is a 409.',
  scope: 'products:write',
  params: TagParams,
  data: Tag,
  errors: ['tag_not_found'],
  message: 'Tag restored',
  handle: ({ params, db }) => queries.restoreTag(db, params),
})

export const mergeTag = operation({
  id: 'mergeTag',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/tags/{tagId}/merge',
  tag: 'Tags',
  summary: 'Merge a tag into another',
  description:
    'Ideas that carry it carry the other one, which is answered; it is removed. Names in the `tags` of work items stay as they are.',
  scope: 'products:write',
  params: TagParams,
  body: MergeTag,
  data: Tag,
  errors: ['tag_not_found'],
  message: 'Tags merged',
  handle: ({ params, body, db }) => queries.mergeTag(db, params, body.into),
})
