import * as z from 'zod'
import { RECORDS_OF_PAGE, walk } from '../../http/ceiling'
import { operation } from '../../http/operation'
import * as queries from './queries/list'
import { CreateSuppression, ListSuppressions, Suppression, SuppressionParams } from './schema'

export const createSuppression = operation({
  id: 'createSuppression',
  of: 'suppression',
  route: 'POST /api/v2/suppressions',
  summary: 'Stop mail to an address',
  description:
    'Of one segment, or all mail of the workspace, also of an address that is no member yet. Where it is stopped already, it stays as it is, and is answered with 200.',
  workspaceWide: true,
  status: 201,
  otherStatus: 200,
  body: CreateSuppression,
  data: Suppression,
  message: 'Suppression saved',
  async handle({ body, db }) {
    const { data, isNew } = await queries.createSuppression(db, body)
    const location = `/api/v2/suppressions/${data.id}`
    return { data, ...(isNew ? { location } : { status: 200 as const }) }
  },
})

export const listSuppressions = operation({
  id: 'listSuppressions',
  ceiling: walk(31_000, RECORDS_OF_PAGE),
  of: 'suppression',
  route: 'GET /api/v2/suppressions',
  summary: 'List the addresses that get no mail',
  description:
    'The newest first, with the reason: `unsubscribe` (by the link in a message), `hard_bounce` and `complaint` (the mail provider said so), `manual`. They outlive the person that had the address, so that nobody mails it again by mistake.',
  query: ListSuppressions,
  data: z.array(Suppression),
  handle: ({ query, db }) => queries.listSuppressions(db, query),
})

export const getSuppression = operation({
  id: 'getSuppression',
  of: 'suppression',
  route: 'GET /api/v2/suppressions/{suppressionId}',
  summary: 'Retrieve a suppression',
  description: 'An address that gets no mail, and why.',
  params: SuppressionParams,
  data: Suppression,
  handle: ({ params, db }) => queries.getSuppression(db, params),
})

export const removeSuppression = operation({
  id: 'removeSuppression',
  of: 'suppression',
  route: 'DELETE /api/v2/suppressions/{suppressionId}',
  summary: 'Let mail go to an address again',
  description: 'For good: there is nothing to restore. Mail of other segments that was stopped stays stopped.',
  workspaceWide: true,
  params: SuppressionParams,
  message: 'Suppression removed',
  handle: ({ params, db, ifMatch }) => queries.removeSuppression(db, params, ifMatch),
})
