import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { EmailAddress, html, integer, moment, Timestamp, text } from '../../http/schemas'
import { variableProblems } from './variables'

// RFC 5322 limits a line to 998 characters.
const MAX_SUBJECT = 998
const MAX_TEXT = 262_144
const MAX_MEMBERS = 10_000

export const KINDS = ['segment', 'members', 'test', 'invitation', 'feedback', 'release', 'notice'] as const

export const STATUSES = ['scheduled', 'queued', 'sending', 'completed', 'canceled'] as const
export const OUTCOMES = [
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
    description: 'The place of the recipient among those of the mailing, from 0.',
    example: 0,
  }),
})

const written = <T extends z.ZodType<string>>(text: T) =>
  text.superRefine((value, { addIssue }) => {
    for (const message of variableProblems(value)) addIssue({ code: 'custom', message })
  })

const Message = z.object({
  subject: written(
    text(MAX_SUBJECT)
      .min(1, 'Must not be empty')
      // A line break would begin another header.
      .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Must be one line without control characters')
      .refine((subject) => subject.trim() !== '', 'Must not be blank'),
  ),
  html: written(html().min(1, 'Must not be empty')).meta({
    description: 'HTML body of the message; scripts are taken out.',
  }),
  text: written(text(MAX_TEXT).refine((text) => text.trim() !== '', 'Must not be blank'))
    .optional()
    .meta({ description: 'The same as plain text; made from the HTML without it.' }),
  replyTo: EmailAddress.optional().meta({ description: 'Where replies go; to the sender without it.' }),
})

const EXAMPLE = {
  subject: 'What we ship in May',
  html: '<p>Hello {{firstName}}, have a look at <a href="https://example.com">our plan</a>.</p>',
}

export const SendMailing = Message.extend({
  scheduledAt: moment().optional().meta({ description: 'When it is to go, within a year; at once without it.' }),
}).meta({ id: 'SendEmail', examples: [EXAMPLE] })

export const MailMembers = SendMailing.extend({
  userIds: z.array(z.int().min(1)).min(1).max(MAX_MEMBERS).optional().meta({ description: 'Ids of members.' }),
  emails: z.array(EmailAddress).min(1).max(MAX_MEMBERS).optional().meta({ description: 'Their addresses instead.' }),
})
  .refine(({ userIds, emails }) => (userIds === undefined) !== (emails === undefined), {
    error: 'Must be given, or `emails` instead, and not both',
    path: ['userIds'],
  })
  .meta({ id: 'EmailMembers', examples: [{ emails: ['owner@example.com'], ...EXAMPLE }] })

export const SendTest = Message.extend({
  to: z.array(EmailAddress).min(1).max(5).meta({ description: 'Any addresses, of members or not.' }),
}).meta({ id: 'SendTestEmail', examples: [{ to: ['me@example.com'], ...EXAMPLE }] })

export const ListMailings = listQuery(['-createdAt', 'createdAt']).extend({
  segmentId: integer({ min: 1 }).optional().meta({ description: 'Only mailings to this segment.' }),
  kind: z.enum(KINDS).optional().meta({ description: 'Only mailings for this. Walks the mailings.' }),
  status: z.enum(STATUSES).optional().meta({ description: 'Only mailings in this state. Walks the mailings.' }),
})

export const ListRecipients = listQuery(['position', '-position'])

export const Addressee = z.object({ email: z.string() }).meta({ id: 'Addressee', description: 'One recipient.' })

export const Mailing = z
  .object({
    id: z.int(),
    kind: z.enum(KINDS).meta({ description: 'What it is for.' }),
    segmentId: z.int().nullable(),
    subject: z.string(),
    replyTo: z.string().nullable(),
    status: z.enum(STATUSES),
    totals: z
      .object({
        recipients: z.int(),
        waiting: z.int().meta({ description: 'Not yet sent.' }),
        sent: z.int().meta({ description: 'Taken by the mail provider.' }),
        failed: z.int(),
        suppressed: z.int().meta({ description: 'Unsubscribed, or removed, between acceptance and sending.' }),
        canceled: z.int().meta({ description: 'Not sent, as the mailing was canceled.' }),
        delivered: z.int().meta({ description: 'Of those sent: the provider says that they arrived.' }),
        bounced: z.int().meta({ description: 'Of those sent: they did not arrive.' }),
        complained: z.int().meta({ description: 'Of those sent: the recipient reported the message as spam.' }),
      })
      .meta({
        description: 'Recipients by what became of them: all are waiting, sent, failed, suppressed or canceled.',
      }),
    progress: z.int().min(0).max(100).meta({ description: 'Percent of the recipients that are settled.' }),
    scheduledAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Email', description: 'A mailing: accepted at once, delivered by the queue.' })

export const Recipient = z
  .object({
    position: z.int(),
    userId: z.int(),
    email: z.string().meta({ description: 'The present address of the member; empty of one who was removed.' }),
    status: z.enum(OUTCOMES),
    reason: z.string().nullable().meta({ description: 'Why it failed, bounced or was suppressed.' }),
    providerId: z.string().nullable().meta({ description: "The mail provider's id of the message." }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'EmailRecipient', description: 'A recipient of a mailing, and what became of the message.' })

export const RenderedMessage = Recipient.extend({
  message: z.object({
    from: z.string(),
    to: z.string(),
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    replyTo: z.string().optional(),
    headers: z.record(z.string(), z.string()),
  }),
}).meta({ id: 'RenderedMessage', description: 'A recipient, with the message as it is sent.' })
