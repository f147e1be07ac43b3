import { declareCeiling } from '../../http/ceiling'
import { awaitFirstItem, downloadResponse } from '../../http/download'
import { operation } from '../../http/operation'
import { MemberParams } from '../members/schema'
import { formatPersonalData } from './format'

export const exportMember = operation({
  id: 'exportMember',
  ceiling: declareCeiling(600_000, 'comments and recipients of mail have no index by person.', 40_000_000),
  of: 'member',
  route: 'GET /api/v2/idea-manager/members/{memberId}/export',
  summary: "Export a member's data",
  description:
    'Downloads everything about a person as one JSON object: `member`, `votes`, `ideas`, `comments`, `statusUpdates`, `workItemComments`, `workItems` (key, type and summary of the items that are assigned to the person), `emails` (mail to the person), `mailPreferences`, `changelogSubscription`, `segmentConfirmations`, `suppressions` and `events` (events of the member in the log, without archived events). A part is null without the scope `:read` of its area: `feedback`, `backlog`, `mail` or `events`. The file contains no anonymous ideas. The service writes the file while you read: a file that ends early was interrupted.',
  workspaceWide: true,
  params: MemberParams,
  streamedTypes: ['application/json'],
  async handle({ params, db, actor }) {
    const pieces = await awaitFirstItem(formatPersonalData(db, actor, params))
    return downloadResponse({ type: 'application/json', name: `member-${params.memberId}.json`, pieces })
  },
})
