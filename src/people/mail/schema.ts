import * as z from 'zod'
import { createChangesQuery, createListQuery, updatedSinceParameter } from '../../http/pagination'
import { EmailAddress, html, integer, moment, severalOf, Timestamp, text } from '../../http/schemas'
import { findVariableProblems } from './variables'

// RFC 5322 limits a line to 998 characters.
export const MAX_SUBJECT_CHARACTERS = 998
const MAX_MAIL_TEXT_CHARACTERS = 262_144
const MAX_SELECTED_MEMBERS = 10_000

export const MAILING_KINDS = [
  'segment',
  'members',
  'test',
  'invitation',
  'confirmation',
  'sign_in',
  'feedback',
  'release',
  'notice',
  'digest',
] as const

export const MAILING_STATUSES = ['scheduled', 'queued', 'sending', 'completed', 'canceled'] as const
export const RECIPIENT_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
] as const

export const MailingParams = z.object({
  emailId: integer({ min: 1 }).meta({ description: 'Id of the mailing.', example: 1 }),
})

export const RecipientParams = MailingParams.extend({
  position: integer({ min: 0 }).meta({
    description: 'Position of the recipient in the mailing, from 0.',
    example: 0,
  }),
})

const withKnownVariables = <T extends z.ZodType<string>>(text: T) =>
  text.superRefine((value, { addIssue }) => {
    for (const message of findVariableProblems(value)) addIssue({ code: 'custom', message })
  })

export const MailMessageBody = z.object({
  subject: withKnownVariables(
    text(MAX_SUBJECT_CHARACTERS)
      .min(1, 'Must not be empty')
      // A line break would begin another header.
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Must be one line without control characters')
      .refine((subject) => subject.trim() !== '', 'Must not be blank'),
  ),
  html: withKnownVariables(html().min(1, 'Must not be empty')).meta({
    description: 'HTML body of the message; scripts are removed.',
  }),
  text: withKnownVariables(text(MAX_MAIL_TEXT_CHARACTERS).refine((text) => text.trim() !== '', 'Must not be blank'))
    .optional()
    .meta({ description: 'Plain text of the message; by default made from the HTML.' }),
  replyTo: EmailAddress.optional().meta({ description: 'Address for replies; by default the sender.' }),
})

const MAILING_EXAMPLE = {
  subject: 'What we ship in May',
  html: '<p>Hello {{firstName}}, have a look at <a href="https://example.com">our plan</a>.</p>',
}

export const SendMailing = MailMessageBody.extend({
  scheduledAt: moment()
    .optional()
    .meta({ description: 'Time to send the message, within a year; by default at once.' }),
}).meta({ id: 'SendEmail', examples: [MAILING_EXAMPLE] })

export const MailMembers = SendMailing.extend({
  userIds: z.array(z.int().min(1)).min(1).max(MAX_SELECTED_MEMBERS).optional().meta({ description: 'Ids of members.' }),
  emails: z
    .array(EmailAddress)
    .min(1)
    .max(MAX_SELECTED_MEMBERS)
    .optional()
    .meta({ description: 'Addresses of members, instead of `userIds`.' }),
})
  .refine(({ userIds, emails }) => (userIds === undefined) !== (emails === undefined), {
    error: 'Send either `userIds` or `emails`',
    path: ['userIds'],
  })
  .meta({ id: 'EmailMembers', examples: [{ emails: ['owner@example.com'], ...MAILING_EXAMPLE }] })

export const SendTest = MailMessageBody.extend({
  to: z.array(EmailAddress).min(1).max(5).meta({ description: 'Addresses of members or other people.' }),
}).meta({ id: 'SendTestEmail', examples: [{ to: ['me@example.com'], ...MAILING_EXAMPLE }] })

export const ListMailings = createChangesQuery(['-createdAt', 'createdAt']).extend({
  segmentId: integer({ min: 1 }).optional().meta({ description: 'Only mailings to this segment.' }),
  kind: severalOf(z.enum(MAILING_KINDS)).optional().meta({
    description: 'Only mailings of this kind, or of any of several separated by commas. Looks at all mailings.',
  }),
  status: severalOf(z.enum(MAILING_STATUSES)).optional().meta({
    description: 'Only mailings with this status, or with any of several separated by commas. Looks at all mailings.',
  }),
})

export const ListRecipients = createListQuery(['position', '-position']).extend({
  ...updatedSinceParameter(),
  status: severalOf(z.enum(RECIPIENT_STATUSES)).optional().meta({
    description:
      'Only recipients with this status, or with any of several separated by commas. Looks at all recipients of the mailing.',
  }),
})

export const Addressee = z.object({ email: z.string() }).meta({ id: 'Addressee', description: 'A recipient.' })

export const Mailing = z
  .object({
    id: z.int(),
    kind: z.enum(MAILING_KINDS).meta({ description: 'Purpose of the mailing.' }),
    segmentId: z.int().nullable(),
    subject: z.string(),
    replyTo: z.string().nullable(),
    status: z.enum(MAILING_STATUSES),
    totals: z
      .object({
        recipients: z.int(),
        waiting: z.int().meta({ description: 'Messages that are not sent yet.' }),
        sent: z.int().meta({ description: 'Messages that the mail provider accepted.' }),
        failed: z.int(),
        suppressed: z.int().meta({ description: 'Recipients who unsubscribed or were removed before sending.' }),
        canceled: z.int().meta({ description: 'Messages not sent because the mailing was canceled.' }),
        delivered: z.int().meta({ description: 'Sent messages that arrived, as the provider reports.' }),
        bounced: z.int().meta({ description: 'Sent messages that did not arrive.' }),
        complained: z.int().meta({ description: 'Sent messages that the recipient reported as spam.' }),
      })
      .meta({
        description: 'Numbers of recipients. Each recipient is waiting, sent, failed, suppressed or canceled.',
      }),
    progress: z.int().min(0).max(100).meta({ description: 'Percentage of the recipients that are not waiting.' }),
    scheduledAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Email', description: 'A mailing, accepted at once and delivered by the queue.' })

export const Recipient = z
  .object({
    position: z.int(),
    userId: z.int(),
    email: z.string().meta({ description: 'Current address of the recipient; empty for a removed member.' }),
    status: z.enum(RECIPIENT_STATUSES),
    reason: z.string().nullable().meta({ description: 'Reason why the message failed, bounced or was suppressed.' }),
    providerId: z.string().nullable().meta({ description: 'Id of the message at the mail provider.' }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'EmailRecipient', description: 'A recipient of a mailing, with the status of the message.' })

export const MessageContent = z.object({
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  replyTo: z.string().optional(),
  headers: z.record(z.string(), z.string()),
})

export const RenderedMessage = Recipient.extend({ message: MessageContent }).meta({
  id: 'RenderedMessage',
  description: 'A recipient with the rendered message.',
})
