import { signInvitation, signUnsubscription } from '../../../http/token'
import { tagOf } from '../events/read'
import type { Message } from '../providers/provider'
import { inHtml, inLine, inText, valuesOf } from '../variables'

interface Text {
  subject: string
  html: string
  text: string
  replyTo: string | null
  baseUrl: string
  /** Variables for all recipients, as JSON. */
  variables: string | null
}

export interface Content extends Text {
  randomName: string
  subscriptionId: number
  emailId: number
}

export interface Reader {
  position: number
  email: string
  firstName: string
  lastName: string
  attributes: string | null
  /** Variables for this recipient only, as JSON. */
  own: string | null
}

/**
 * Renders a message. The result is deterministic as long as the sender and the first signing secret stay the same,
 * because retries must send identical messages.
 */
export async function render(
  content: Content,
  reader: Reader,
  { from, secrets }: { from: string; secrets: string },
): Promise<Message> {
  const { subscriptionId, emailId, randomName } = content
  const { position } = reader
  const invited = invitationIn(reader)
  const tokens = {
    unsubscribe: await signUnsubscription(secrets, { subscriptionId, emailId, position }),
    invitation: invited && (await signInvitation(secrets, { subscriptionId, ...invited })),
  }
  const tag = tagOf({ subscriptionId, emailId, position, randomName })
  return { ...compose(content, reader, from, tokens), tag }
}

/** Returns the invitation that the message carries, from the recipient's variable `invitation`. */
function invitationIn({ own }: Reader): { userId: number; round: number } | undefined {
  const { invitation } = JSON.parse(own ?? '{}') as { invitation?: string }
  const [userId, round] = invitation?.split('-').map(Number) ?? []
  return userId !== undefined && round !== undefined ? { userId, round } : undefined
}

interface Tokens {
  unsubscribe: string
  invitation?: string | undefined
}

/** Renders a message for display: the links are private to the recipient and therefore replaced. */
export const shown = (content: Text, reader: Reader, from: string): Omit<Message, 'tag'> =>
  compose(content, reader, from, { unsubscribe: 'hidden', invitation: 'hidden' })

// RFC 5322 limits a line to 998 characters.
const MAX_SUBJECT = 998

function compose(
  { subject, html, text, replyTo, baseUrl, variables }: Text,
  reader: Reader,
  from: string,
  tokens: Tokens,
): Omit<Message, 'tag'> {
  const link = `${baseUrl}/unsubscribe/${tokens.unsubscribe}`
  const links = {
    unsubscribeUrl: link,
    ...(tokens.invitation && { invitationUrl: `${baseUrl}/invitations/${tokens.invitation}` }),
  }
  const values = valuesOf({ ...reader, everyone: variables }, links)
  const line = inLine(subject, values).slice(0, MAX_SUBJECT).toWellFormed()
  return {
    position: reader.position,
    from,
    to: reader.email,
    subject: line.trim() ? line : 'No subject',
    html: inHtml(html, values),
    text: inText(text, values),
    ...(replyTo !== null && { replyTo }),
    // RFC 8058: mail programs post to this address when a user unsubscribes.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** Accepts a single address without separators or line breaks, which could inject headers. */
export function isOneAddress(email: string): boolean {
  return /^[^\s@<>,;:"\\\p{Cc}]+@[^\s@<>,;:"\\\p{Cc}]+$/u.test(email)
}
