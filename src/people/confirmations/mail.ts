import type { Settings } from '../../env'
import { readPublicUrl } from '../../env'
import { createMailing, type NewMailing } from '../mail/statements'

const CONFIRMATION_MAIL_CONTENT = {
  subject: 'Please confirm: {{segment}}',
  html: `<p>{{greeting}}</p>
<p>{{workspace}} wants to send you the e-mails of “{{segment}}”. You get them only if you confirm.</p>
<p><a href="{{confirmationUrl}}">Yes, send me these e-mails</a></p>
<p>If you did not ask for these e-mails, ignore this mail.</p>`,
  text: `{{greeting}}

{{workspace}} wants to send you the e-mails of “{{segment}}”. You get them only if you confirm.

Yes, send me these e-mails: {{confirmationUrl}}

If you did not ask for these e-mails, ignore this mail.
`,
}

export const createConfirmationMail = (settings: Settings): NewMailing =>
  createMailing(CONFIRMATION_MAIL_CONTENT, settings, readPublicUrl(settings))
