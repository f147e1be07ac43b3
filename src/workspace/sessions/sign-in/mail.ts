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

/** Not the address of the request, which the sender of the request chooses. */
export const createSignInMail = (settings: Settings): NewMailing =>
  createMailing(SIGN_IN_MAIL_CONTENT, settings, readPublicUrl(settings))
