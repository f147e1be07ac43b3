import type { Settings } from '../../env'
import { type NewMailing, newMailing } from '../mail/statements'
import type { Inviting } from './schema'

/** How long an invitation can be accepted, and how soon it can be sent again, in milliseconds (api.md, section 3). */
export const VALID = 30 * 86_400_000
export const COOLDOWN = 3_600_000

const DAYS = VALID / 86_400_000

/** Its variables, besides the name: what the workspace is called, and each recipient's link that accepts. */
const LETTER = {
  subject: 'You are invited to {{workspace}}',
  html: `<p>Hello {{firstName}}</p>
<p>{{workspace}} would like to hear what you think: you are invited to follow its ideas, and to vote and comment on them.</p>
<p><a href="{{invitationUrl}}">Accept the invitation</a></p>
<p>It can be accepted for ${DAYS} days. If you do not know what this is about, you need not do anything.</p>`,
  text: `Hello {{firstName}}

{{workspace}} would like to hear what you think: you are invited to follow its ideas, and to vote and comment on them.

Accept the invitation: {{invitationUrl}}

It can be accepted for ${DAYS} days. If you do not know what this is about, you need not do anything.
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
