import { requireScope } from '../../../http/auth'
import { operation } from '../../../http/operation'
import * as queries from './queries'
import { ChangelogSubscription, FollowChangelog } from './schema'

export const followChangelog = operation({
  id: 'followChangelog',
  of: 'changelog_entry',
  route: 'POST /api/v2/changelog/subscription',
  storesRecords: true,
  workspaceWide: true,
  summary: 'Follow the changelog',
  description:
    'The user of the key, or the person with the address `email`, gets a mail about published entries. `email` needs the scope `segments:write`. A person who no longer follows is a 409: only a key of the same person, or the page with the choice of mail, can follow again.',
  body: FollowChangelog,
  errors: [],
  data: ChangelogSubscription,
  message: 'Subscribed',
  async handle({ body, db, actor }) {
    if (body?.email !== undefined) requireScope(actor, 'segments:write')
    return { data: await queries.followChangelog(db, body?.email) }
  },
})

export const leaveChangelog = operation({
  id: 'leaveChangelog',
  of: 'changelog_entry',
  route: 'DELETE /api/v2/changelog/subscription',
  workspaceWide: true,
  summary: 'Stop following the changelog',
  description: 'The user of the key gets no more mail about published entries.',
  errors: [],
  message: 'Unsubscribed',
  conditional: false,
  handle: ({ db }) => queries.leaveChangelog(db),
})
