import * as z from 'zod'
import { declareCeiling, PAGE_RECORDS_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { SegmentParams } from '../segments/schema'
import * as queries from './queries/manage'
import {
  ConfirmationsRequested,
  ListSegmentConfirmations,
  RequestSegmentConfirmations,
  SegmentConfirmation,
} from './schema'

export const listSegmentConfirmations = operation({
  id: 'listSegmentConfirmations',
  ceiling: declareCeiling(31_000, PAGE_RECORDS_COST_REASON),
  of: 'segment',
  route: 'GET /api/v2/segments/{segmentId}/confirmations',
  summary: 'List the confirmations of a segment',
  description:
    'Members whose confirmation the segment asks for (`doubleOptIn`), newest first. People who were members before have no confirmation and need none.',
  params: SegmentParams,
  query: ListSegmentConfirmations,
  data: z.array(SegmentConfirmation),
  handle: ({ params, query, db }) => queries.listSegmentConfirmations(db, query, params),
})

export const requestSegmentConfirmations = operation({
  id: 'requestSegmentConfirmations',
  of: 'segment',
  route: 'POST /api/v2/segments/{segmentId}/confirmations/request',
  summary: 'Ask members of a segment for their confirmation again',
  description:
    'Sends the mail with the link again to members whose confirmation is pending. Skipped are members who have confirmed or need no confirmation, and members who were asked within the last hour. A segment without `doubleOptIn` is a 409.',
  weight: 'bulk',
  workspaceWide: true,
  params: SegmentParams,
  body: RequestSegmentConfirmations,
  data: ConfirmationsRequested,
  async handle({ params, body, db }) {
    const requested = await queries.requestSegmentConfirmations(db, params, body.userIds)
    return { data: { requested }, message: `${requested} members are asked` }
  },
})
