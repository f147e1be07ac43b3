import type { MailContent } from '../../people/mail/statements'

const UNSUBSCRIBE_HTML = '<p><a href="{{unsubscribeUrl}}">Unsubscribe from all mail of this workspace</a></p>'
const UNSUBSCRIBE_TEXT = 'Unsubscribe from all mail of this workspace: {{unsubscribeUrl}}'

export const STATUS_MAIL_CONTENT: MailContent = {
  subject: '{{title}}: {{status}}',
  html: `<p>{{greeting}}</p><p>the status of <strong>{{title}}</strong> is now <strong>{{status}}</strong>.</p><p>You get this mail because you wrote the item, voted or commented on the item, or subscribed to the item.</p>${UNSUBSCRIBE_HTML}`,
  text: `{{greeting}}\n\nthe status of "{{title}}" is now "{{status}}".\n\nYou get this mail because you wrote the item, voted or commented on the item, or subscribed to the item.\n\n${UNSUBSCRIBE_TEXT}`,
}

export const RELEASE_MAIL_CONTENT: MailContent = {
  subject: '{{version}} is released',
  html: `<p>{{greeting}}</p><p><strong>{{version}}</strong> is released. The release contains ideas that you voted for: {{ideas}}.</p>${UNSUBSCRIBE_HTML}`,
  text: `{{greeting}}\n\n{{version}} is released. The release contains ideas that you voted for: {{ideas}}.\n\n${UNSUBSCRIBE_TEXT}`,
}
