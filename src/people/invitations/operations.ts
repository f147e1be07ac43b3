import { canRead, PEOPLE_AREAS } from '../../http/auth'
import { operation } from '../../http/operation'
import { toIso } from '../../text/moments'
import { createMailAcceptedMessage } from '../mail/statements'
import { createInvitationMail, INVITATION_COOLDOWN_MS } from './invitation-mail'
import { type ReinviteResult, reinviteUsers } from './queries/reinvite'
import { MAX_REINVITED_MEMBERS, MembersReinvited, ReinviteMembers } from './schema'

const NOT_SENT_REASON_BY_OUTCOME: Record<Exclude<ReinviteResult['outcome'], 'sent' | 'early'>, string> = {
  unknown: 'The member does not exist.',
  unwanted: 'The address is suppressed for all mail of the workspace.',
  accepted: 'The member has already accepted the invitation.',
}

const describeReinviteProblem = ({ outcome, sentAt }: ReinviteResult): string | undefined => {
  if (outcome === 'sent') return undefined
  if (outcome !== 'early') return NOT_SENT_REASON_BY_OUTCOME[outcome]
  return `The member was invited within the last hour. Invite them again after ${toIso((sentAt ?? 0) + INVITATION_COOLDOWN_MS)}.`
}

/** A key that may not read members sees only the submitted values. */
function toReinviteResponse(row: ReinviteResult, readsPeople: boolean) {
  const { submitted, at, id, createdAt, updatedAt } = row
  const message = describeReinviteProblem(row)
  const isThere = row.outcome !== 'unknown'
  const sent = {
    id: typeof submitted === 'number' ? submitted : 0,
    email: typeof submitted === 'string' ? submitted : '',
  }
  const known = isThere && readsPeople
  return {
    success: message === undefined,
    ...(message !== undefined && { message }),
    user: {
      id: (isThere && id) || sent.id,
      email: (known && row.email) || sent.email,
      role: (known && row.role) || 'idm_member',
      firstName: (known && row.firstName) || '',
      createdAt: toIso((isThere && createdAt) || at),
      updatedAt: toIso((isThere && updatedAt) || at),
    },
  }
}

export const reinviteMembers = operation({
  id: 'reinviteMembers',
  of: 'member',
  route: 'PUT /api/v2/idea-manager/members/re-invite',
  summary: 'Invite members again',
  description: `Sends pending and expired invitations again, and first invitations to members without any: by ids, by addresses, or all pending and expired invitations, ${MAX_REINVITED_MEMBERS.toLocaleString('en-US')} per request. A member gets at most one invitation per hour. Each person has a result, with the reason if no invitation was sent.`,
  weight: 'bulk',
  workspaceWide: true,
  body: ReinviteMembers,
  data: MembersReinvited,
  async handle({ body, db, actor, env, origin, enqueue }) {
    const letter = createInvitationMail(env, origin)
    const rows = await reinviteUsers(db, body, letter)
    const readsPeople = canRead(actor, ...PEOPLE_AREAS)
    const inviteResults = rows.map((row) => toReinviteResponse(row, readsPeople))
    const sent = inviteResults.filter(({ success }) => success).length
    if (sent) enqueue(createMailAcceptedMessage(actor.subscriptionId, letter))
    const more = body.all && sent === MAX_REINVITED_MEMBERS ? '. More invitations may be due. Repeat the request' : ''
    return { data: { inviteResults }, message: `${sent} of ${rows.length} invitations were sent${more}` }
  },
})
