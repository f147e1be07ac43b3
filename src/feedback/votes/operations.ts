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
    'Each voter has one vote, which the last one that is sent replaces; the same again changes nothing. On what is closed, whose window or status does not let vote, what is rejected, and what is merged, it is a 409. A key that is limited to products makes nobody a member, which is a 403. Whoever votes is mailed when the status changes, until the vote is taken back or they leave.',
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
  description: 'The newest vote first, those against it among them.',
  params: FeedbackParams,
  query: ListVoters,
  data: z.array(Voter),
  handle: ({ params, query, db }) => queries.listVoters(db, query, params),
})
