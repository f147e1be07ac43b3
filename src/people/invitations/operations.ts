import { PEOPLE, reads } from '../../http/auth'
import { operation } from '../../http/operation'
import { iso } from '../../text/moments'
import { wakes } from '../mail/statements'
import { COOLDOWN, invitationMail } from './letter'
import { type Reinvited, reinvite } from './queries/reinvite'
import { MAX_REINVITED, MembersReinvited, ReinviteMembers } from './schema'

const REASONS: Record<Exclude<Reinvited['outcome'], 'sent' | 'early'>, string> = {
  unknown: 'There is no such member.',
  unwanted: 'The member wants no e-mail, or the address takes none.',
  accepted: 'The member has accepted the invitation already.',
}

const reasonOf = ({ outcome, sentAt }: Reinvited): string | undefined => {
  if (outcome === 'sent') return undefined
  if (outcome !== 'early') return REASONS[outcome]
  return `The member was invited within the last hour. Invite them again after ${iso((sentAt ?? 0) + COOLDOWN)}.`
}

/** A result of the response; without permission to read members the key sees only the submitted values. */
function shown(row: Reinvited, readsPeople: boolean) {
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
      createdAt: iso((isThere && createdAt) || at),
      updatedAt: iso((isThere && updatedAt) || at),
    },
  }
}

export const reinviteMembers = operation({
  id: 'reinviteMembers',
  of: 'member',
  route: 'PUT /api/v2/idea-manager/members/re-invite',
  summary: 'Invite members again',
  description: `Sends pending and expired invitations again, once an hour at most, and first ones to members who have none: by ids, by addresses, or all that are pending or expired, ${MAX_REINVITED} at a time. Each person has a result, with the reason where no invitation was sent.`,
  weight: 'bulk',
  workspaceWide: true,
  body: ReinviteMembers,
  data: MembersReinvited,
  async handle({ body, db, actor, env, origin, wake }) {
    const letter = invitationMail(env, origin)
    const rows = await reinvite(db, body, letter)
    const readsPeople = reads(actor, ...PEOPLE)
    const inviteResults = rows.map((row) => shown(row, readsPeople))
    const sent = inviteResults.filter(({ success }) => success).length
    if (sent) wake(wakes(actor.subscriptionId, letter))
    const more = body.all && sent === MAX_REINVITED ? '. There may be more: repeat the request' : ''
    return { data: { inviteResults }, message: `${sent} of ${rows.length} invitations were sent${more}` }
  },
})
