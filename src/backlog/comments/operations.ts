import * as z from 'zod'
import { operation } from '../../http/operation'
import { read } from '../../workspace/comments/read'
import { AddComment, ListComments, ModifyComment, ReplyToComment } from '../../workspace/comments/schema'
import { withName } from '../../workspace/comments/shown'
import { WorkItemParams } from '../items/schema'
import * as queries from './queries'
import { ItemComment, ItemCommentParams } from './schema'

const locationOf = (product: string, { id }: { id: number }) => `/api/initiatives/${product}/backlog/comments/${id}`

export const addItemComment = operation({
  id: 'addItemComment',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/comments',
  tag: 'Backlog',
  summary: 'Comment on a work item',
  description: 'As the user of the key.',
  scope: 'backlog:write',
  status: 201,
  params: WorkItemParams,
  body: AddComment,
  data: ItemComment,
  errors: ['work_item_not_found'],
  async handle({ params, body, db }) {
    const { data } = await queries.addItemComment(db, params, await read(body))
    return { data, message: 'Comment saved', location: locationOf(params.product_external_key, data) }
  },
})

export const listItemComments = operation({
  id: 'listItemComments',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/backlog/{item_external_key}/comments',
  tag: 'Backlog',
  summary: 'List the comments on a work item',
  description:
    'The oldest first, replies among them. A removed one that something answers keeps its place, without its text. Private ones are shown to keys that read the workspace (`products:read`), and to those of whoever wrote them.',
  scope: 'backlog:read',
  params: WorkItemParams,
  query: ListComments,
  data: z.array(ItemComment),
  errors: ['work_item_not_found'],
  handle: ({ params, query, db }) => queries.listItemComments(db, query, params),
})

export const replyToItemComment = operation({
  id: 'replyToItemComment',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}/reply',
  tag: 'Backlog',
  summary: 'Reply to a comment on a work item',
  description: 'A reply to a private comment is private.',
  scope: 'backlog:write',
  status: 201,
  params: ItemCommentParams,
  body: ReplyToComment,
  data: ItemComment,
  errors: ['comment_not_found'],
  async handle({ params, body, db }) {
    const { data } = await queries.replyToItemComment(db, params, await read(body))
    return { data, message: 'Comment saved', location: locationOf(params.product_external_key, data) }
  },
})

export const getItemComment = operation({
  id: 'getItemComment',
  method: 'get',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  tag: 'Backlog',
  summary: 'Retrieve a comment on a work item',
  description: 'Of whichever item of the product.',
  scope: 'backlog:read',
  params: ItemCommentParams,
  data: ItemComment,
  errors: ['comment_not_found'],
  handle: ({ params, db }) => queries.getItemComment(db, params),
})

export const modifyItemComment = operation({
  id: 'modifyItemComment',
  method: 'put',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  tag: 'Backlog',
  summary: 'Modify a comment on a work item',
  description: 'Changes the fields that are sent. Whether it is private stays.',
  scope: 'backlog:write',
  params: ItemCommentParams,
  body: ModifyComment,
  data: ItemComment,
  errors: ['comment_not_found'],
  conditional: true,
  async handle({ params, body, db, actor, ifMatch }) {
    const { data, version } = await queries.modifyItemComment(db, params, await read(body), ifMatch)
    return { data: withName(data, actor, 'backlog'), version, message: 'Comment saved' }
  },
})

export const removeItemComment = operation({
  id: 'removeItemComment',
  method: 'delete',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}',
  tag: 'Backlog',
  summary: 'Remove a comment on a work item',
  description: 'One that something answers keeps its place, without its text. It can be restored for 30 days.',
  scope: 'backlog:write',
  params: ItemCommentParams,
  data: z.object({}),
  errors: ['comment_not_found'],
  conditional: true,
  async handle({ params, db, ifMatch }) {
    await queries.removeItemComment(db, params, ifMatch)
    return { data: {}, message: 'Comment removed' }
  },
})

export const restoreItemComment = operation({
  id: 'restoreItemComment',
  method: 'post',
  path: '/api/initiatives/{product_external_key}/backlog/comments/{itemCommentId}/restore',
  tag: 'Backlog',
  summary: 'Restore a removed comment on a work item',
  description: 'With its text.',
  scope: 'backlog:write',
  params: ItemCommentParams,
  data: ItemComment,
  errors: ['comment_not_found'],
  async handle({ params, db, actor }) {
    const { data, version } = await queries.restoreItemComment(db, params)
    return { data: withName(data, actor, 'backlog'), version, message: 'Comment restored' }
  },
})
