import type { Letter } from '../../people/mail/statements'

const LEAVE = '<p><a href="{{unsubscribeUrl}}">No more mail of this workspace</a></p>'
const LEAVE_TEXT = 'No more mail of this workspace: {{unsubscribeUrl}}'

export const STATUS: Letter = {
  subject: '{{title}}: {{status}}',
  html: `<p>{{greeting}}</p><p>the status of <strong>{{title}}</strong> is now <strong>{{status}}</strong>.</p><p>You get this because you have written it, voted or commented on it, or asked for it.</p>${LEAVE}`,
  text: `{{greeting}}\n\nthe status of "{{title}}" is now "{{status}}".\n\nYou get this because you have written it, voted or commented on it, or asked for it.\n\n${LEAVE_TEXT}`,
}

/** Mail to voters about a released version; `ideas` names the ideas of the recipient. */
export const RELEASE: Letter = {
  subject: '{{version}} is released',
  html: `<p>{{greeting}}</p><p><strong>{{version}}</strong> is released. It brings what you have voted for: {{ideas}}.</p>${LEAVE}`,
  text: `{{greeting}}\n\n{{version}} is released. It brings what you have voted for: {{ideas}}.\n\n${LEAVE_TEXT}`,
}
