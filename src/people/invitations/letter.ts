import type { Settings } from '../../env'
import { type NewMailing, newMailing } from '../mail/statements'
import type { Inviting } from './schema'

/** How long an invitation can be accepted, and how soon it can be sent again, in milliseconds (docs/api-conventions.md). */
export const VALID = 30 * 86_400_000
export const COOLDOWN = 3_600_000

const DAYS = VALID / 86_400_000

/** Why a workspace invites somebody: an idea-manager member comes for its ideas, a user of any other role works in it. */
export const PURPOSE = {
  member: 'to follow its ideas, and to vote and comment on them',
  user: 'to work with its team',
} as const

/** Besides the greeting, the letter has the workspace's name, and each recipient's purpose and link. */
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

/** The mail that invites people; its links lead to `origin`. */
export const invitationMail = (settings: Settings, origin: string): NewMailing => newMailing(LETTER, settings, origin)

interface Asked {
  query: Inviting
  env: Settings
  origin: string
}

/** The same where the request asks for it. */
export const letterFor = ({ query, env, origin }: Asked): NewMailing | undefined =>
  query.invite === 'true' ? invitationMail(env, origin) : undefined
