import * as z from 'zod'
import { declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries'
import { ListAllVotes, VoteOfWorkspace } from './schema'

export const listAllVotes = operation({
  id: 'listAllVotes',
  ceiling: declareCeiling(41_000, PAGE_RECORDS_COST_REASON),
  of: 'vote',
  route: 'GET /api/v2/votes',
  summary: 'List the votes on all feedback items',
  description:
    'Votes on the items of all products, newest first, for mirrors and reports. Votes on removed items are not listed. A key that is limited to products sees the votes on the items of its products; each page looks at 10,000 votes and can be short or empty and still have a next page. A vote taken back leaves the list, and a merge copies the votes to the other item with their `createdAt`: the events `feedback.voted` and `feedback.merged` report both.',
  query: ListAllVotes,
  data: z.array(VoteOfWorkspace),
  handle: ({ query, db }) => queries.listAllVotes(db, query),
})
