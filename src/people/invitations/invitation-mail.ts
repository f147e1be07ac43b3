import type { Settings } from '../../env'
import { createMailing, type NewMailing } from '../mail/statements'
import type { InviteQuery } from './schema'

export const INVITATION_TTL_MS = 30 * 86_400_000
export const INVITATION_COOLDOWN_MS = 3_600_000

const INVITATION_TTL_DAYS = INVITATION_TTL_MS / 86_400_000

export const INVITATION_PURPOSES = {
  member: 'to follow its ideas, and to vote and comment on them',
  user: 'to work with its team',
} as const

const INVITATION_MAIL_CONTENT = {
  subject: 'You are invited to {{workspace}}',
  html: `<p>{{greeting}}</p>
<p>{{workspace}} invites you {{purpose}}.</p>
<p><a href="{{invitationUrl}}">Accept the invitation</a></p>
<p>You can accept the invitation for ${INVITATION_TTL_DAYS} days. If you do not know {{workspace}}, ignore this mail.</p>`,
  text: `{{greeting}}

{{workspace}} invites you {{purpose}}.

Accept the invitation: {{invitationUrl}}

You can accept the invitation for ${INVITATION_TTL_DAYS} days. If you do not know {{workspace}}, ignore this mail.
`,
}

export const createInvitationMail = (settings: Settings, origin: string): NewMailing =>
  createMailing(INVITATION_MAIL_CONTENT, settings, origin)

interface InvitingRequest {
  query: InviteQuery
  env: Settings
  origin: string
}

export const createMailIfInvited = ({ query, env, origin }: InvitingRequest): NewMailing | undefined =>
  query.invite === 'true' ? createInvitationMail(env, origin) : undefined
