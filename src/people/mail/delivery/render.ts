import { signInvitation, signUnsubscription } from '../../../http/token'
import { createTag } from '../events/read'
import type { Message } from '../providers/provider'
import { createLookup, fillHtml, fillLine, fillText } from '../variables'

interface SharedContent {
  subject: string
  html: string
  text: string
  replyTo: string | null
  baseUrl: string
  variables: string | null
}

export interface MailingContent extends SharedContent {
  randomName: string
  subscriptionId: number
  emailId: number
}

export interface MessageRecipient {
  position: number
  email: string
  firstName: string
  lastName: string
  attributes: string | null
  own: string | null
}

/** Deterministic while the sender and the first signing secret stay the same: retries must send identical messages. */
export async function renderMessage(
  content: MailingContent,
  reader: MessageRecipient,
  { from, secrets }: { from: string; secrets: string },
): Promise<Message> {
  const { subscriptionId, emailId, randomName } = content
  const { position } = reader
  const invited = parseInvitation(reader)
  const tokens = {
    unsubscribe: await signUnsubscription(secrets, { subscriptionId, emailId, position }),
    invitation: invited && (await signInvitation(secrets, { subscriptionId, ...invited })),
  }
  const tag = createTag({ subscriptionId, emailId, position, randomName })
  return { ...composeMessage(content, reader, from, tokens), tag }
}

function parseInvitation({ own }: MessageRecipient): { userId: number; round: number } | undefined {
  const { invitation } = JSON.parse(own ?? '{}') as { invitation?: string }
  const [userId, round] = invitation?.split('-').map(Number) ?? []
  return userId !== undefined && round !== undefined ? { userId, round } : undefined
}

interface Tokens {
  unsubscribe: string
  invitation?: string | undefined
}

/** Hides the links, which are private to the recipient. */
export const previewMessage = (content: SharedContent, reader: MessageRecipient, from: string): Omit<Message, 'tag'> =>
  composeMessage(content, reader, from, { unsubscribe: 'hidden', invitation: 'hidden' })

// RFC 5322 limits a line to 998 characters.
const MAX_SUBJECT = 998

function composeMessage(
  { subject, html, text, replyTo, baseUrl, variables }: SharedContent,
  reader: MessageRecipient,
  from: string,
  tokens: Tokens,
): Omit<Message, 'tag'> {
  const link = `${baseUrl}/unsubscribe/${tokens.unsubscribe}`
  const links = {
    unsubscribeUrl: link,
    ...(tokens.invitation && { invitationUrl: `${baseUrl}/invitations/${tokens.invitation}` }),
  }
  const values = createLookup({ ...reader, everyone: variables }, links)
  const line = fillLine(subject, values).slice(0, MAX_SUBJECT).toWellFormed()
  return {
    position: reader.position,
    from,
    to: reader.email,
    subject: line.trim() ? line : 'No subject',
    html: fillHtml(html, values),
    text: fillText(text, values),
    ...(replyTo !== null && { replyTo }),
    // RFC 8058: mail programs post to this address when a user unsubscribes.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** Accepts a single address without separators or line breaks, which could inject headers. */
export function isOneAddress(email: string): boolean {
  return /^[^\s@<>,;:"\\\p{Cc}]+@[^\s@<>,;:"\\\p{Cc}]+$/u.test(email)
}
