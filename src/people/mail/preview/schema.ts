import * as z from 'zod'
import { SUPPRESSION_REASONS } from '../../suppressions/schema'
import { MailMessageBody, MessageContent } from '../schema'

/** Members of one read. */
export const MAX_COUNTED_MEMBERS = 20_000

export const MAX_LISTED_SKIPS = 100

/** Imports, the newest first. */
export const MAX_LISTED_IMPORTS = 20

export const SKIP_REASONS = [...SUPPRESSION_REASONS, 'unconfirmed'] as const

const SkipReason = z.enum(SKIP_REASONS).meta({
  description:
    'Reason of the suppression, or `unconfirmed` for a member who has not confirmed the segment (`doubleOptIn`).',
})

export const PreviewMailing = MailMessageBody.partial()
  .extend({
    userId: z.int().min(1).optional().meta({
      description: 'Id of the member to render the message for; by default the first recipient.',
    }),
  })
  .meta({
    id: 'PreviewEmail',
    examples: [{ subject: 'What we ship in May', html: '<p>Hello {{firstName}}, have a look at our plan.</p>' }],
  })

const SkippedMember = z
  .object({ userId: z.int(), email: z.string(), reason: SkipReason })
  .meta({ id: 'SkippedMember', description: 'A member who gets no mail of the segment.' })

export const MailingPreview = z
  .object({
    recipients: z.int().meta({ description: 'Number of members who would get the mail now.' }),
    skipped: z
      .object({
        unsubscribe: z.int(),
        hard_bounce: z.int(),
        complaint: z.int(),
        manual: z.int(),
        unconfirmed: z.int(),
      } satisfies Record<(typeof SKIP_REASONS)[number], z.ZodInt>)
      .meta({ description: 'Numbers of members who would get no mail, by reason.' }),
    skippedMembers: z.array(SkippedMember).meta({
      description: `The first ${MAX_LISTED_SKIPS} members who would get no mail; empty if the key may not read people.`,
    }),
    withoutName: z
      .object({ firstName: z.int(), lastName: z.int() })
      .meta({ description: 'Numbers of recipients without a first name, and without a last name.' }),
    refusedElsewhere: z
      .object({
        people: z.int().meta({ description: 'Number of these recipients.' }),
        imports: z
          .array(
            z.object({
              importId: z.int(),
              file: z.string().meta({ description: 'Name of the file.' }),
              columns: z.array(z.string()).meta({
                description: 'Columns that the import did not take over; empty if the name of the file says it.',
              }),
              people: z.int().meta({ description: 'Number of recipients whose row says it.' }),
            }),
          )
          .meta({ description: `The newest ${MAX_LISTED_IMPORTS} imports. A person can be in several.` }),
      })
      .meta({
        description:
          'Recipients whose row in an imported file says that they get no mail: they unsubscribed, bounced, complained or gave no consent elsewhere. Import their addresses as suppressions (`POST /api/v2/suppressions/import`).',
      }),
    isComplete: z.boolean().meta({
      description: `False if the segment has more members: only the first ${MAX_COUNTED_MEMBERS.toLocaleString('en-US')} are counted.`,
    }),
    member: z
      .object({
        userId: z.int(),
        email: z.string(),
        skipReason: SkipReason.nullable().meta({ description: 'Reason why this member gets no mail; otherwise null.' }),
      })
      .nullable()
      .meta({ description: 'The member of the rendered message; null without a recipient.' }),
    message: MessageContent.nullable().meta({
      description:
        'The message as it arrives, with a link without effect to unsubscribe. Null without a member, a subject or HTML.',
    }),
  })
  .meta({ id: 'EmailPreview', description: 'Recipients of a mailing before it is sent, and the message of a member.' })
