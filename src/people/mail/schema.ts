import * as z from 'zod'
import { listQuery } from '../../http/pagination'
import { html, integer, Timestamp, text } from '../../http/schemas'

// RFC 5322: a line has at most 998 characters.
const MAX_SUBJECT = 998

/** What a mailing is for: mail to a segment or to some members, or what another room tells people. */
export const KINDS = ['segment', 'members', 'test', 'invitation', 'feedback', 'release', 'notice'] as const

/** Of a mailing, and of one recipient's message. */
export const STATUSES = ['queued', 'sending', 'completed'] as const
export const OUTCOMES = ['queued', 'sending', 'sent', 'failed', 'suppressed'] as const

export const MailingParams = z.object({
  emailId: integer({ min: 1 }).meta({ description: 'Id of the mailing.', example: 1 }),
})

export const RecipientParams = MailingParams.extend({
  position: integer({ min: 0 }).meta({
    description: 'The place of the recipient among those of the mailing, from 0.',
    example: 0,
  }),
})

export const SendMailing = z
  .object({
    subject: text(MAX_SUBJECT)
      .min(1, 'Must not be empty')
      // A line break would begin another header.
      .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'Must be one line without control characters')
      .refine((subject) => subject.trim() !== '', 'Must not be blank'),
    html: html().min(1, 'Must not be empty').meta({ description: 'HTML body of the message; scripts are taken out.' }),
  })
  .meta({
    id: 'SendEmail',
    examples: [
      { subject: 'What we ship in May', html: '<p>Have a look at <a href="https://example.com">our plan</a>.</p>' },
    ],
  })

export const ListRecipients = listQuery(['position', '-position'])

export const Addressee = z.object({ email: z.string() }).meta({ id: 'Addressee', description: 'One recipient.' })

export const Mailing = z
  .object({
    id: z.int(),
    kind: z.enum(KINDS).meta({ description: 'What it is for.' }),
    segmentId: z.int().nullable(),
    subject: z.string(),
    status: z.enum(STATUSES),
    totals: z
      .object({
        recipients: z.int(),
        waiting: z.int().meta({ description: 'Not yet sent.' }),
        sent: z.int().meta({ description: 'Taken by the mail provider.' }),
        failed: z.int(),
        suppressed: z.int().meta({ description: 'Unsubscribed between acceptance and sending.' }),
      })
      .meta({ description: 'Recipients by what became of them.' }),
    progress: z.int().min(0).max(100).meta({ description: 'Percent of the recipients that are settled.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    completedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Email', description: 'A mailing: accepted at once, delivered by the queue.' })

export const Recipient = z
  .object({
    position: z.int(),
    userId: z.int(),
    email: z.string(),
    status: z.enum(OUTCOMES),
    reason: z.string().nullable().meta({ description: 'Why it failed or was suppressed.' }),
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
    headers: z.record(z.string(), z.string()),
  }),
}).meta({ id: 'RenderedMessage', description: 'A recipient, with the message as it is sent.' })
