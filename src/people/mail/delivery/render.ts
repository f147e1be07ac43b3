import { signUnsubscription } from '../../../http/token'
import type { Message } from '../providers/provider'

/** What all recipients of a mailing get. */
interface Text {
  subject: string
  html: string
  text: string
  /** Where the unsubscribe links lead. */
  baseUrl: string
}

export interface Content extends Text {
  subscriptionId: number
  emailId: number
}

/** The same content and recipient give the same message while sender and first signing secret stand. */
export async function render(
  content: Content,
  recipient: { position: number; email: string },
  { from, secrets }: { from: string; secrets: string },
): Promise<Message> {
  const { subscriptionId, emailId } = content
  const { position } = recipient
  const token = await signUnsubscription(secrets, { subscriptionId, emailId, position })
  return compose(content, recipient, from, token)
}

/** The message as it is shown: its unsubscribe link is the recipient's alone, and leads nowhere here. */
export const shown = (content: Text, recipient: { position: number; email: string }, from: string): Message =>
  compose(content, recipient, from, 'hidden')

function compose(
  { subject, html, text, baseUrl }: Text,
  { position, email }: { position: number; email: string },
  from: string,
  token: string,
): Message {
  return {
    position,
    from,
    to: email,
    subject,
    html,
    text,
    // RFC 8058: the mail program posts to this address when its user unsubscribes.
    headers: {
      'List-Unsubscribe': `<${baseUrl}/unsubscribe/${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** One address and nothing besides: no list of several, no line break that begins another header. */
export function isOneAddress(email: string): boolean {
  return /^[^\s@<>,;:"\\\p{Cc}]+@[^\s@<>,;:"\\\p{Cc}]+$/u.test(email)
}
