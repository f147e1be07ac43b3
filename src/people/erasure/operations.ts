import { declareCeiling, EACH_LINK_COST_REASON } from '../../http/ceiling'
import { operation } from '../../http/operation'
import { MemberParams } from '../members/schema'
import * as queries from './queries/erase'

export const eraseMember = operation({
  id: 'eraseMember',
  ceiling: declareCeiling(700_000, EACH_LINK_COST_REASON),
  of: 'member',
  route: 'DELETE /api/v2/idea-manager/members/{memberId}/permanent',
  summary: 'Erase a member for good',
  description:
    'Erases a present or removed member at once, without the 30 days to restore. The person disappears from every response immediately, and a background job erases the rest within minutes. Votes stay as counts, and ideas and comments stay without an author. Texts of other people stay, even if they contain the name. The service keeps a keyed hash of the address and sends no more mail to the address, also if you create or import the person again. The only owner cannot be erased: 409. A member whose role has scopes that your key lacks is a 403.',
  workspaceWide: true,
  params: MemberParams,
  message: 'Member erased',
  async handle({ params, db, ifMatch, actor, enqueue }) {
    await queries.eraseMember(db, params, ifMatch)
    enqueue({ kind: 'member.erase', subscriptionId: actor.subscriptionId, memberId: params.memberId })
    return {}
  },
})
