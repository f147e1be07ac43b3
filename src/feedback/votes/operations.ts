import * as z from 'zod'
import { operation } from '../../http/operation'
import { FeedbackParams } from '../ideas/schema'
import * as queries from './queries'
import { CastVote, ListVoters, Vote, Voter } from './schema'

export const castVote = operation({
  id: 'castVote',
  of: 'vote',
  route: 'POST /api/feedback-items/{feedback_external_key}/vote',
  summary: 'Vote on a feedback item',
  description:
    'Each voter has one vote. A new vote replaces the old vote, and a repeated vote changes nothing. A vote is a 409 if voting is closed, outside the voting window or ended by the status, and on a rejected or merged item. A key that is limited to products cannot create members (403). Voters get a mail when the status changes, until they take the vote back or unsubscribe.',
  params: FeedbackParams,
  body: CastVote,
  data: Vote,
  message: 'Vote counted',
  handle: async ({ params, body, db }) => ({ data: await queries.castVote(db, params, body) }),
})

export const listVoters = operation({
  id: 'listVoters',
  of: 'vote',
  route: 'GET /api/feedback-items/{feedback_external_key}/voters',
  summary: 'List the voters of a feedback item',
  description: 'Votes for and against the item, newest first.',
  params: FeedbackParams,
  query: ListVoters,
  data: z.array(Voter),
  handle: ({ params, query, db }) => queries.listVoters(db, query, params),
})
