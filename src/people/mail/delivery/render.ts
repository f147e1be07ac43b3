import { signInvitation, signUnsubscription } from '../../../http/token'
import { tagOf } from '../events/read'
import type { Message } from '../providers/provider'
import { inHtml, inLine, inText, valuesOf } from '../variables'

/** What all recipients of a mailing get. */
interface Text {
  subject: string
  html: string
  text: string
  replyTo: string | null
  /** Where the unsubscribe links lead. */
  baseUrl: string
  /** What its room says to all of them. */
  variables: string | null
}

export interface Content extends Text {
  randomName: string
  subscriptionId: number
  emailId: number
}

/** Whom a message is for, and what it may say of them. */
export interface Reader {
  position: number
  email: string
  firstName: string
  lastName: string
  attributes: string | null
  /** What the room says to them alone. */
  own: string | null
}

/** The same content and recipient give the same message while sender and first signing secret stand. */
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

/** Which invitation the message carries: a variable of the recipient's says it. */
function invitationIn({ own }: Reader): { userId: number; round: number } | undefined {
  const { invitation } = JSON.parse(own ?? '{}') as { invitation?: string }
  const [userId, round] = invitation?.split('-').map(Number) ?? []
  return userId !== undefined && round !== undefined ? { userId, round } : undefined
}

interface Tokens {
  unsubscribe: string
  invitation?: string | undefined
}

/** The message as it is shown: its links are the recipient's alone, and lead nowhere here. */
export const shown = (content: Text, reader: Reader, from: string): Omit<Message, 'tag'> =>
  compose(content, reader, from, { unsubscribe: 'hidden', invitation: 'hidden' })

// RFC 5322: a line has at most 998 characters.
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
    // RFC 8058: the mail program posts to this address when its user unsubscribes.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** One address and nothing besides: no list of several, no line break that begins another header. */
export function isOneAddress(email: string): boolean {
  return /^[^\s@<>,;:"\\\p{Cc}]+@[^\s@<>,;:"\\\p{Cc}]+$/u.test(email)
}
