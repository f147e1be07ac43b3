import { operation } from '../../../http/operation'
import { PortalIdeaParams, PortalParams } from '../schema'
import * as queries from './queries'
import {
  AddPortalComment,
  ModifyPortalComment,
  ModifyPortalIdea,
  PortalCommentParams,
  PortalSubscription,
  PortalVote,
  SavedPortalComment,
  SavedPortalIdea,
  SubmitPortalIdea,
} from './schema'
import { saveWithFiles, storeSentFiles } from './store-files'

const OF_IDEA = ['portal_not_found', 'feedback_item_not_found'] as const
const OF_COMMENT = [...OF_IDEA, 'comment_not_found'] as const

export const submitPortalIdea = operation({
  id: 'submitPortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: ['portal_not_found'],
  route: 'POST /api/v2/portal/{portal}/ideas',
  summary: 'Submit an idea in a portal',
  description:
    'The author is the caller. The idea waits for an approval if the workspace moderates ideas; until then only its author sees the idea.',
  location: '/api/v2/portal/{portal}/ideas/{key}',
  params: PortalParams,
  body: SubmitPortalIdea,
  data: SavedPortalIdea,
  message: 'Idea saved',
  async handle({ body: { files = [], ...idea }, db, env, actor, header, runAfterResponse }) {
    if (!files.length) return queries.submitPortalIdea(db, idea)
    const store = { files: env.FILES, subscriptionId: actor.subscriptionId, runAfterResponse }
    // A retry gets the stored reply, even if a guard would refuse by now.
    if (header('idempotency-key') === undefined) await db.authorize(queries.guardsOfNewIdea(idea))
    else await queries.authorizeWriting(db)
    const stored = await storeSentFiles(store, files)
    return saveWithFiles(store, stored, () => queries.submitPortalIdea(db, idea, stored))
  },
})

export const modifyPortalIdea = operation({
  id: 'modifyPortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: OF_IDEA,
  route: 'PUT /api/v2/portal/{portal}/ideas/{feedback_external_key}',
  summary: 'Modify an own idea in a portal',
  description: 'Changes only the members that you send. An idea that does not wait for an approval is a 409.',
  params: PortalIdeaParams,
  body: ModifyPortalIdea,
  data: SavedPortalIdea,
  message: 'Idea saved',
  handle: ({ params, body, db }) => queries.modifyPortalIdea(db, params, body),
})

export const votePortalIdea = operation({
  id: 'votePortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: OF_IDEA,
  route: 'POST /api/v2/portal/{portal}/ideas/{feedback_external_key}/vote',
  summary: 'Vote for an idea in a portal',
  description: 'The vote is of the caller, and a second vote changes nothing. A vote is a 409 if voting has ended.',
  params: PortalIdeaParams,
  data: PortalVote,
  message: 'Vote counted',
  handle: async ({ params, db }) => ({ data: await queries.votePortalIdea(db, params, true) }),
})

export const unvotePortalIdea = operation({
  id: 'unvotePortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: OF_IDEA,
  route: 'DELETE /api/v2/portal/{portal}/ideas/{feedback_external_key}/vote',
  summary: 'Take back the vote for an idea in a portal',
  description: 'Without a vote of the caller nothing changes.',
  params: PortalIdeaParams,
  data: PortalVote,
  message: 'Vote taken back',
  handle: async ({ params, db }) => ({ data: await queries.votePortalIdea(db, params, false) }),
})

export const subscribeToPortalIdea = operation({
  id: 'subscribeToPortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  storesRecords: true,
  errors: OF_IDEA,
  route: 'POST /api/v2/portal/{portal}/ideas/{feedback_external_key}/subscription',
  summary: 'Follow an idea in a portal',
  description: 'The caller gets mail when the status changes.',
  params: PortalIdeaParams,
  data: PortalSubscription,
  message: 'You follow the idea',
  handle: async ({ params, db }) => ({ data: await queries.followPortalIdea(db, params, true) }),
})

export const unsubscribeFromPortalIdea = operation({
  id: 'unsubscribeFromPortalIdea',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: OF_IDEA,
  route: 'DELETE /api/v2/portal/{portal}/ideas/{feedback_external_key}/subscription',
  summary: 'Stop following an idea in a portal',
  description: 'The caller gets no more mail about the idea, also as its author, voter or commenter.',
  params: PortalIdeaParams,
  data: PortalSubscription,
  message: 'You do not follow the idea any more',
  handle: async ({ params, db }) => ({ data: await queries.followPortalIdea(db, params, false) }),
})

export const addPortalComment = operation({
  id: 'addPortalComment',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  storesRecords: true,
  errors: OF_IDEA,
  status: 201,
  route: 'POST /api/v2/portal/{portal}/ideas/{feedback_external_key}/comments',
  summary: 'Comment on an idea in a portal',
  description: 'The author is the caller, and the comment is public. `parentId` makes a reply.',
  params: PortalIdeaParams,
  body: AddPortalComment,
  data: SavedPortalComment,
  message: 'Comment saved',
  handle: ({ params, body, db }) => queries.addPortalComment(db, params, body),
})

export const modifyPortalComment = operation({
  id: 'modifyPortalComment',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: OF_COMMENT,
  route: 'PUT /api/v2/portal/{portal}/ideas/{feedback_external_key}/comments/{commentId}',
  summary: 'Modify an own comment in a portal',
  description: 'A comment of somebody else is a 403.',
  params: PortalCommentParams,
  body: ModifyPortalComment,
  data: SavedPortalComment,
  message: 'Comment saved',
  handle: ({ params, body, db }) => queries.modifyPortalComment(db, params, body),
})

export const removePortalComment = operation({
  id: 'removePortalComment',
  access: 'portal',
  tag: 'Portal',
  scope: 'feedback:write',
  errors: OF_COMMENT,
  route: 'DELETE /api/v2/portal/{portal}/ideas/{feedback_external_key}/comments/{commentId}',
  summary: 'Remove an own comment in a portal',
  description: 'A comment with replies keeps its place, without its text. A comment of somebody else is a 403.',
  params: PortalCommentParams,
  message: 'Comment removed',
  async handle({ params, db }) {
    await queries.removePortalComment(db, params)
    return {}
  },
})
