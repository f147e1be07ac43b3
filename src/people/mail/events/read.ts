import * as z from 'zod'

/** Events of a message with ranks: a later event counts only with a higher rank. */
export const MAIL_EVENT_RANKS = { softBounce: 1, delivered: 2, hardBounce: 3, complaint: 4 } as const

export interface MailEvent {
  type: keyof typeof MAIL_EVENT_RANKS
  messageId: string
  tag: string
  reason: string | null
}

/** The event may arrive before the message id is recorded. */
export interface UntaggedEvent extends Omit<MailEvent, 'tag'> {
  tag?: never
  occurredAt: number
}

const MAX_REASON_CHARACTERS = 500

const truncateReason = (reason?: string) => reason?.slice(0, MAX_REASON_CHARACTERS).toWellFormed() || null

const toTaggedEvent = (type: MailEvent['type'], messageId: string, tag: string | undefined, reason?: string) =>
  tag === undefined ? undefined : { type, messageId, tag, reason: truncateReason(reason) }

export const MESSAGE_TAG_FIELD = 'groundwork'

const ResendEvent = z.object({
  type: z.string(),
  data: z.object({
    email_id: z.string(),
    // Resend sends tags as an object or as the array of the request.
    tags: z
      .union([z.record(z.string(), z.string()), z.array(z.object({ name: z.string(), value: z.string() }))])
      .optional()
      .catch(undefined),
    bounce: z
      .object({ type: z.string().default(''), subType: z.string().default(''), message: z.string().default('') })
      .optional()
      .catch(undefined),
  }),
})

export function readResendEvent(json: unknown): MailEvent | undefined {
  const read = ResendEvent.safeParse(json).data
  if (!read) return undefined
  const { email_id, tags, bounce } = read.data
  const tag = Array.isArray(tags)
    ? tags.find(({ name }) => name === MESSAGE_TAG_FIELD)?.value
    : tags && getOwnValue(tags, MESSAGE_TAG_FIELD)
  switch (read.type) {
    case 'email.delivered':
      return toTaggedEvent('delivered', email_id, tag)
    case 'email.bounced':
      return toTaggedEvent(
        bounce?.type === 'Transient' || bounce?.type === 'Undetermined' ? 'softBounce' : 'hardBounce',
        email_id,
        tag,
        [bounce?.subType, bounce?.message].filter(Boolean).join(': ') || 'The message bounced.',
      )
    case 'email.complained':
      return toTaggedEvent('complaint', email_id, tag, 'The recipient reported the message as spam.')
    default:
      return undefined
  }
}

const getOwnValue = (values: Record<string, string>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined

const PostmarkEvent = z.object({
  RecordType: z.string(),
  MessageID: z.string(),
  Metadata: z.record(z.string(), z.coerce.string()).optional().catch(undefined),
  Type: z.string().default(''),
  Description: z.string().default(''),
  Details: z.string().default(''),
})

/** Bounce types after which Postmark rejects mail to the address. */
const POSTMARK_HARD_BOUNCES = new Set(['HardBounce', 'BadEmailAddress', 'ManuallyDeactivated', 'AddressChange'])
const POSTMARK_IGNORED_BOUNCES = new Set([
  'AutoResponder',
  'Subscribe',
  'Unsubscribe',
  'OpenRelayTest',
  'ChallengeVerification',
])

export function readPostmarkEvent(json: unknown): MailEvent | undefined {
  const read = PostmarkEvent.safeParse(json).data
  if (!read) return undefined
  const { RecordType, MessageID, Metadata, Type, Description, Details } = read
  const tag = Metadata && getOwnValue(Metadata, MESSAGE_TAG_FIELD)
  const reason = [Description, Details].filter(Boolean).join(' ') || 'The message bounced.'
  if (RecordType === 'Delivery') return toTaggedEvent('delivered', MessageID, tag)
  if (RecordType === 'SpamComplaint' || (RecordType === 'Bounce' && Type === 'SpamComplaint')) {
    return toTaggedEvent('complaint', MessageID, tag, 'The recipient reported the message as spam.')
  }
  if (RecordType !== 'Bounce' || POSTMARK_IGNORED_BOUNCES.has(Type)) return undefined
  return toTaggedEvent(POSTMARK_HARD_BOUNCES.has(Type) ? 'hardBounce' : 'softBounce', MessageID, tag, reason)
}

const TelnyxEvent = z.object({
  data: z.object({
    event_type: z.string(),
    occurred_at: z.string(),
    payload: z.object({
      id: z.string(),
      error_evidence: z
        .object({
          code: z.string().default(''),
          message: z.string().nullish(),
          enhanced_code: z.string().nullish(),
        })
        .optional()
        .catch(undefined),
    }),
  }),
})

const TELNYX_FAILURE_EVENTS = new Set(['email.bounced', 'email.failed'])

export function readTelnyxEvent(json: unknown): UntaggedEvent | undefined {
  const read = TelnyxEvent.safeParse(json).data?.data
  if (!read) return undefined
  const { event_type, occurred_at, payload } = read
  const { code, message, enhanced_code } = payload.error_evidence ?? {}
  const toUntaggedEvent = (type: MailEvent['type'], reason?: string): UntaggedEvent => {
    return { type, messageId: payload.id, occurredAt: Date.parse(occurred_at), reason: truncateReason(reason) }
  }
  if (event_type === 'email.delivered') return toUntaggedEvent('delivered')
  if (event_type === 'email.complained')
    return toUntaggedEvent('complaint', 'The recipient reported the message as spam.')
  if (!TELNYX_FAILURE_EVENTS.has(event_type)) return undefined
  // Telnyx rejects further mail to an address whose status code blames the address.
  const isHard = code === '30001' && /^5\.[12]\./.test(enhanced_code ?? '')
  return toUntaggedEvent(isHard ? 'hardBounce' : 'softBounce', message || 'The message bounced.')
}

const TAG_PATTERN = /^([1-9]\d{0,15})-([1-9]\d{0,15})-(0|[1-9]\d{0,15})-([0-9a-f-]{36})$/

export interface TaggedRecipient {
  subscriptionId: number
  emailId: number
  position: number
  randomName: string
}

/** At most 80 characters that every provider accepts. */
export const createMessageTag = ({ subscriptionId, emailId, position, randomName }: TaggedRecipient) =>
  `${subscriptionId}-${emailId}-${position}-${randomName}`

export function parseMessageTag(tag: string): TaggedRecipient | undefined {
  const [, subscriptionId, emailId, position, randomName] = TAG_PATTERN.exec(tag) ?? []
  if (randomName === undefined) return undefined
  return { subscriptionId: Number(subscriptionId), emailId: Number(emailId), position: Number(position), randomName }
}
