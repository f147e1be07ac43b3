import {
  signConfirmationToken,
  signInvitationToken,
  signPreferencesToken,
  signUnsubscribeToken,
} from '../../../http/token'
import { composeDigest } from '../digest/compose'
import { parseDigestContent, parseDigestReader } from '../digest/stored'
import { createMessageTag } from '../events/read'
import type { MailMessage } from '../providers/provider'
import { MAX_SUBJECT_CHARACTERS } from '../schema'
import { createVariableLookup, fillHtml, fillLine, fillText } from '../variables'

interface SharedMailContent {
  kind: string
  subject: string
  html: string
  text: string
  replyTo: string | null
  baseUrl: string
  variables: string | null
}

export interface MailingContent extends SharedMailContent {
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
): Promise<MailMessage> {
  const { subscriptionId, emailId, randomName } = content
  const { position } = reader
  const invited = parseIdPair(reader, 'invitation')
  const confirming = parseIdPair(reader, 'confirmation')
  const tokens = {
    unsubscribe: await signUnsubscribeToken(secrets, { subscriptionId, emailId, position }),
    preferences:
      content.kind === 'digest'
        ? await signPreferencesToken(secrets, { subscriptionId, emailId, position })
        : undefined,
    invitation:
      invited && (await signInvitationToken(secrets, { subscriptionId, userId: invited[0], round: invited[1] })),
    confirmation:
      confirming &&
      (await signConfirmationToken(secrets, { subscriptionId, segmentId: confirming[0], userId: confirming[1] })),
  }
  const tag = createMessageTag({ subscriptionId, emailId, position, randomName })
  return { ...composeMessage(content, reader, from, tokens), tag }
}

/** The ids of a link, as a variable of the recipient stores them. */
function parseIdPair(
  { own }: MessageRecipient,
  name: 'invitation' | 'confirmation',
): readonly [first: number, second: number] | undefined {
  const [first, second] =
    (JSON.parse(own ?? '{}') as Record<string, string | undefined>)[name]?.split('-').map(Number) ?? []
  return first !== undefined && second !== undefined ? [first, second] : undefined
}

interface LinkTokens {
  unsubscribe: string
  preferences?: string | undefined
  invitation?: string | undefined
  confirmation?: string | undefined
}

const HIDDEN_TOKENS = { unsubscribe: 'hidden', preferences: 'hidden', invitation: 'hidden', confirmation: 'hidden' }

/** Hides the links, which are private to the recipient. */
export const previewMessage = (
  content: SharedMailContent,
  reader: MessageRecipient,
  from: string,
): Omit<MailMessage, 'tag'> => composeMessage(content, reader, from, HIDDEN_TOKENS)

function composeMessage(
  content: SharedMailContent,
  reader: MessageRecipient,
  from: string,
  tokens: LinkTokens,
): Omit<MailMessage, 'tag'> {
  const { replyTo, baseUrl } = content
  const link = `${baseUrl}/unsubscribe/${tokens.unsubscribe}`
  const links = {
    unsubscribeUrl: link,
    ...(tokens.preferences && { preferencesUrl: `${baseUrl}/preferences/${tokens.preferences}` }),
    ...(tokens.invitation && { invitationUrl: `${baseUrl}/invitations/${tokens.invitation}` }),
    ...(tokens.confirmation && { confirmationUrl: `${baseUrl}/confirmations/${tokens.confirmation}` }),
  }
  const { subject, html, text } =
    content.kind === 'digest' ? composeDigestMessage(content, reader, links) : fillMessage(content, reader, links)
  const line = subject.slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed()
  return {
    position: reader.position,
    from,
    to: reader.email,
    subject: line.trim() ? line : 'No subject',
    html,
    text,
    ...(replyTo !== null && { replyTo }),
    // RFC 8058: mail programs post to this address when a user unsubscribes.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

function fillMessage(
  { subject, html, text, variables }: SharedMailContent,
  reader: MessageRecipient,
  links: Readonly<Record<string, string>>,
) {
  const values = createVariableLookup({ ...reader, everyone: variables }, links)
  return { subject: fillLine(subject, values), html: fillHtml(html, values), text: fillText(text, values) }
}

/** The shared variables hold the news, and the variables of the reader say which news. */
function composeDigestMessage(
  { variables }: SharedMailContent,
  { firstName, lastName, own }: MessageRecipient,
  { unsubscribeUrl, preferencesUrl = '' }: { unsubscribeUrl: string; preferencesUrl?: string },
) {
  const news = { firstName, lastName, ...parseDigestReader(own) }
  const stopUrl = (key: string) => `${preferencesUrl}?idea=${encodeURIComponent(key)}`
  return composeDigest(parseDigestContent(variables), news, { unsubscribeUrl, preferencesUrl, stopUrl })
}

/** Accepts a single address without separators or line breaks, which could inject headers. */
export function isSingleAddress(email: string): boolean {
  return /^[^\s@<>,;:"\\\p{Cc}]+@[^\s@<>,;:"\\\p{Cc}]+$/u.test(email)
}
