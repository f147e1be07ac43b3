import type { NoticeKind } from '../../notices/schema'

const PERSON_VARIABLES = ['firstName', 'lastName'] as const
const ITEM_VARIABLES = ['title', 'key', 'url', ...PERSON_VARIABLES] as const

/** Variables of each text that a workspace can change. */
export const TEMPLATE_VARIABLES = {
  greeting: PERSON_VARIABLES,
  status: [...ITEM_VARIABLES, 'status', 'message'],
  release: [...ITEM_VARIABLES, 'version'],
  reply: [...ITEM_VARIABLES, 'comment'],
  changelog: [...ITEM_VARIABLES, 'comment'],
  mention: [...ITEM_VARIABLES, 'comment'],
  assignment: ITEM_VARIABLES,
  idea: ['title', 'key', 'url', 'stopUrl'],
  digest: ['greeting', 'items', 'more', 'count', 'preferencesUrl', 'unsubscribeUrl', ...PERSON_VARIABLES],
} as const

interface MailText {
  subject: string
  text: string
}

export interface MailTemplates extends Record<NoticeKind | 'digest', MailText> {
  greeting: { named: string; unnamed: string }
  /** Below the news about an idea. */
  idea: { text: string }
}

/** Only the texts that a workspace has changed. */
export type ChangedTemplates = { [N in keyof MailTemplates]?: Changed<MailTemplates[N]> | undefined }
type Changed<T> = { [N in keyof T]?: string | undefined }

export const DEFAULT_TEMPLATES: MailTemplates = {
  greeting: { named: 'Hello {{firstName}},', unnamed: 'Hello,' },
  status: { subject: '{{title}}: {{status}}', text: '"{{title}}" is now "{{status}}".\n{{message}}' },
  release: { subject: '{{version}} is released', text: '{{version}} is released, and contains "{{title}}".' },
  reply: { subject: 'New reply: {{title}}', text: 'The team has replied to you on "{{title}}":\n{{comment}}' },
  changelog: { subject: '{{title}}', text: '{{title}}\n{{comment}}\n{{url}}' },
  mention: {
    subject: 'You were mentioned: {{title}}',
    text: 'A comment on {{key}} "{{title}}" mentions you.\n{{comment}}',
  },
  assignment: { subject: 'Assigned to you: {{title}}', text: '{{key}} "{{title}}" is assigned to you.' },
  idea: { text: '{{url}}\nStop mail about this idea: {{stopUrl}}' },
  digest: {
    subject: 'News about {{count}} items',
    text: [
      '{{greeting}}',
      '{{items}}',
      'And {{more}} more.',
      'You get this mail because you wrote the idea, voted for the idea, commented on the idea or follow the idea or the changelog, or because a colleague named you.',
      'Choose your mail: {{preferencesUrl}}\nUnsubscribe from all mail of this workspace: {{unsubscribeUrl}}',
    ].join('\n\n'),
  },
}

const change = <T extends object>(usual: T, own: Changed<T> = {}): T => ({
  ...usual,
  ...Object.fromEntries(Object.entries(own).filter(([, text]) => text !== undefined)),
})

/** The texts of the workspace, with the default for each text that is missing. */
export const completeTemplates = (own: ChangedTemplates): MailTemplates => ({
  greeting: change(DEFAULT_TEMPLATES.greeting, own.greeting),
  status: change(DEFAULT_TEMPLATES.status, own.status),
  release: change(DEFAULT_TEMPLATES.release, own.release),
  reply: change(DEFAULT_TEMPLATES.reply, own.reply),
  changelog: change(DEFAULT_TEMPLATES.changelog, own.changelog),
  mention: change(DEFAULT_TEMPLATES.mention, own.mention),
  assignment: change(DEFAULT_TEMPLATES.assignment, own.assignment),
  idea: change(DEFAULT_TEMPLATES.idea, own.idea),
  digest: change(DEFAULT_TEMPLATES.digest, own.digest),
})
