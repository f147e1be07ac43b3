import { canRead, PEOPLE_AREAS } from '../../http/auth'
import { operation } from '../../http/operation'
import { toIso } from '../../text/moments'
import { acceptedMessage } from '../mail/statements'
import { createInvitationMail, RESEND_COOLDOWN } from './invitation-mail'
import { type ReinviteResult, reinviteUsers } from './queries/reinvite'
import { MAX_REINVITED, MembersReinvited, ReinviteMembers } from './schema'

const REASON_BY_OUTCOME: Record<Exclude<ReinviteResult['outcome'], 'sent' | 'early'>, string> = {
  unknown: 'The member does not exist.',
  unwanted: 'The address is suppressed for all mail of the workspace.',
  accepted: 'The member has already accepted the invitation.',
}

const reasonOf = ({ outcome, sentAt }: ReinviteResult): string | undefined => {
  if (outcome === 'sent') return undefined
  if (outcome !== 'early') return REASON_BY_OUTCOME[outcome]
  return `The member was invited within the last hour. Invite them again after ${toIso((sentAt ?? 0) + RESEND_COOLDOWN)}.`
}

/** A key that may not read members sees only the submitted values. */
function toResult(row: ReinviteResult, readsPeople: boolean) {
  const { given, at, id, createdAt, updatedAt } = row
  const message = reasonOf(row)
  const isThere = row.outcome !== 'unknown'
  const sent = { id: typeof given === 'number' ? given : 0, email: typeof given === 'string' ? given : '' }
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
  description: `Sends pending and expired invitations again, and first invitations to members without any: by ids, by addresses, or all pending and expired invitations, ${MAX_REINVITED} per request. A member gets at most one invitation per hour. Each person has a result, with the reason if no invitation was sent.`,
  weight: 'bulk',
  workspaceWide: true,
  body: ReinviteMembers,
  data: MembersReinvited,
  async handle({ body, db, actor, env, origin, enqueue }) {
    const letter = createInvitationMail(env, origin)
    const rows = await reinviteUsers(db, body, letter)
    const readsPeople = canRead(actor, ...PEOPLE_AREAS)
    const inviteResults = rows.map((row) => toResult(row, readsPeople))
    const sent = inviteResults.filter(({ success }) => success).length
    if (sent) enqueue(acceptedMessage(actor.subscriptionId, letter))
    const more = body.all && sent === MAX_REINVITED ? '. More invitations may be due. Repeat the request' : ''
    return { data: { inviteResults }, message: `${sent} of ${rows.length} invitations were sent${more}` }
  },
})
