import type { Settings } from '../../env'
import { type NewMailing, newMailing } from '../mail/statements'
import type { Inviting } from './schema'

/** Validity of an invitation, and the delay until it can be sent again, in milliseconds (docs/api-conventions.md). */
export const VALID = 30 * 86_400_000
export const COOLDOWN = 3_600_000

const DAYS = VALID / 86_400_000

/** The purpose of an invitation: an idea-manager member follows ideas, a user of any other role joins the team. */
export const PURPOSE = {
  member: 'to follow its ideas, and to vote and comment on them',
  user: 'to work with its team',
} as const

const LETTER = {
  subject: 'You are invited to {{workspace}}',
  html: `<p>{{greeting}}</p>
<p>{{workspace}} invites you {{purpose}}.</p>
<p><a href="{{invitationUrl}}">Accept the invitation</a></p>
<p>You can accept the invitation for ${DAYS} days. If you do not know {{workspace}}, ignore this mail.</p>`,
  text: `{{greeting}}

{{workspace}} invites you {{purpose}}.

Accept the invitation: {{invitationUrl}}

You can accept the invitation for ${DAYS} days. If you do not know {{workspace}}, ignore this mail.
`,
}

export const invitationMail = (settings: Settings, origin: string): NewMailing => newMailing(LETTER, settings, origin)

interface Asked {
  query: Inviting
  env: Settings
  origin: string
}

export const letterFor = ({ query, env, origin }: Asked): NewMailing | undefined =>
  query.invite === 'true' ? invitationMail(env, origin) : undefined
