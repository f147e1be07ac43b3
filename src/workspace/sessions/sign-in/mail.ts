import { readPublicUrl, type Settings } from '../../../env'
import { createMailing, type NewMailing } from '../../../people/mail/statements'

const SIGN_IN_MAIL_CONTENT = {
  subject: 'Your sign-in code',
  html: `<p>{{greeting}}</p>
<p>Your sign-in code is <strong>{{code}}</strong>.</p>
<p><a href="{{signInUrl}}">Sign in with this link</a></p>
<p>The code and the link work once, for ten minutes. If you did not ask to sign in, ignore this mail.</p>`,
  text: `{{greeting}}

Your sign-in code is {{code}}.

Sign in with this link: {{signInUrl}}

The code and the link work once, for ten minutes. If you did not ask to sign in, ignore this mail.
`,
}

/** A visitor of a portal gets a code only, because the page of the portal asks for it. */
const CODE_MAIL_CONTENT = {
  subject: 'Your sign-in code',
  html: `<p>{{greeting}}</p>
<p>Your sign-in code is <strong>{{code}}</strong>. It works once, for ten minutes.</p>
<p>If you did not ask to sign in, ignore this mail.</p>`,
  text: `{{greeting}}

Your sign-in code is {{code}}. It works once, for ten minutes.

If you did not ask to sign in, ignore this mail.
`,
}

/** Links have the address of the settings, because the sender of a request chooses the address of the request. */
export const createSignInMail = (settings: Settings, { hasLink }: { hasLink: boolean }): NewMailing =>
  createMailing(hasLink ? SIGN_IN_MAIL_CONTENT : CODE_MAIL_CONTENT, settings, readPublicUrl(settings))
