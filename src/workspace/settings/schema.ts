import * as z from 'zod'
import { BrowserOrigin } from '../../http/schemas'
import { ChangeMailTemplates, IdeaUrl, MailTemplateChanges } from '../../people/mail/digest/schema'
import { NOTICE_KINDS } from '../../people/notices/schema'

const moderationFlag = z.boolean().meta({
  description: 'New feedback items are `pending` until you set them to `approved` or `rejected`.',
})

const MAX_ORIGINS = 50

const allowedOrigins = z
  .array(BrowserOrigin)
  .max(MAX_ORIGINS)
  .meta({
    description:
      'Origins whose pages may call the service from a browser. Without an origin in this list, only servers and pages of the service itself can.',
    examples: [['https://app.example.com']],
  })

const IDEA_URL_DESCRIPTION =
  'Address of an idea in mail about changes, with `{key}` or `{slug}`. Null means the page of the portal that shows the idea, or else the address of the service (`IDEA_URL`), or no link.'

export const ModifySettings = z
  .object({
    feedback: z.object({ moderation: moderationFlag.optional() }).optional(),
    cors: allowedOrigins.optional(),
    ideaUrl: IdeaUrl.nullable().optional().meta({ description: IDEA_URL_DESCRIPTION }),
    mailTemplates: ChangeMailTemplates.optional().meta({
      description: 'Texts of mail about changes. Changes only the texts that you send; null brings the default back.',
    }),
  })
  .meta({
    id: 'ModifySettings',
    examples: [{ feedback: { moderation: true }, cors: ['https://app.example.com'] }],
  })

export const Settings = z
  .object({
    feedback: z.object({ moderation: moderationFlag }),
    cors: allowedOrigins,
    ideaUrl: z.string().nullable().meta({ description: IDEA_URL_DESCRIPTION }),
    mailTemplates: MailTemplateChanges,
  })
  .meta({ id: 'Settings', description: 'Settings of the workspace.' })

export const PreviewMail = z
  .object({
    kinds: z.array(z.enum(NOTICE_KINDS)).min(1).optional().meta({
      description: 'News of the sample mail. Default: all kinds.',
    }),
    firstName: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'First name of the reader; empty for a reader without a name.' }),
    ideaUrl: IdeaUrl.nullable().optional().meta({ description: 'Replaces the setting in this preview.' }),
    mailTemplates: ChangeMailTemplates.optional().meta({ description: 'Changes of the settings in this preview.' }),
  })
  .meta({
    id: 'PreviewMail',
    examples: [{ kinds: ['status'], firstName: 'Ada', mailTemplates: { status: { subject: 'News: {{title}}' } } }],
  })

export const MailPreview = z
  .object({ subject: z.string(), text: z.string(), html: z.string() })
  .meta({ id: 'MailPreview', description: 'A sample of mail about changes.' })
