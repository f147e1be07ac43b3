import {
  signConfirmationToken,
  signInvitationToken,
  signPreferencesToken,
  signUnsubscribeToken,
} from '../../../http/link-token'
import { deriveSignInCodes, deriveSignInTokens } from '../../../http/sign-in-token'
import { composeDigest } from '../digest/compose'
import { parseDigestContent, parseDigestReader } from '../digest/stored'
import { createMessageTag } from '../events/read'
import { createHtmlFiller, type HtmlFiller } from '../fill-html'
import type { MailMessage } from '../providers/provider'
import { MAX_SUBJECT_CHARACTERS } from '../schema'
import { createVariableLookup, fillLine, fillText } from '../variables'

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
export async function createMessageRenderer(content: MailingContent, sender: { from: string; secrets: string }) {
  const fillHtml = await createHtmlFiller(content.html)
  return (reader: MessageRecipient & { addressRound: number }) => renderMessage(content, reader, fillHtml, sender)
}

async function renderMessage(
  content: MailingContent,
  reader: MessageRecipient & { addressRound: number },
  fillHtml: HtmlFiller,
  { from, secrets }: { from: string; secrets: string },
): Promise<MailMessage> {
  const { subscriptionId, emailId, randomName } = content
  const { position, addressRound } = reader
  const invited = parseIdPair(reader, 'invitation')
  const confirming = parseIdPair(reader, 'confirmation')
  const tokens = {
    signIn: content.kind === 'sign_in' ? await createSignInLetter(secrets, reader) : undefined,
    unsubscribe: await signUnsubscribeToken(secrets, { subscriptionId, emailId, position }),
    preferences:
      content.kind === 'digest'
        ? await signPreferencesToken(secrets, { subscriptionId, emailId, position, addressRound })
        : undefined,
    invitation:
      invited &&
      (await signInvitationToken(secrets, { subscriptionId, userId: invited[0], round: invited[1], addressRound })),
    confirmation:
      confirming &&
      (await signConfirmationToken(secrets, {
        subscriptionId,
        segmentId: confirming[0],
        userId: confirming[1],
        addressRound,
      })),
  }
  const tag = createMessageTag({ subscriptionId, emailId, position, randomName })
  return { ...composeMessage(content, reader, { from, tokens, fillHtml }), tag }
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
  signIn?: SignInLetter | undefined
}

interface SignInLetter {
  code: string
  /** Path of the link. */
  path: string
}

async function createSignInLetter(secrets: string, { own }: MessageRecipient): Promise<SignInLetter> {
  const { signIn: nonce = '', next = '/' } = JSON.parse(own ?? '{}') as { signIn?: string; next?: string }
  const [code = ''] = await deriveSignInCodes(secrets, nonce)
  const [token = ''] = await deriveSignInTokens(secrets, nonce)
  return { code, path: `${token}?next=${encodeURIComponent(next)}` }
}

const HIDDEN_TOKENS: LinkTokens = {
  unsubscribe: 'hidden',
  preferences: 'hidden',
  invitation: 'hidden',
  confirmation: 'hidden',
}

const HIDDEN_SIGN_IN: SignInLetter = { code: '······', path: 'hidden' }

/** Hides the links, which are private to the recipient. `signInSecrets` reveal the code of a sign-in. */
export async function previewMessage(
  content: SharedMailContent,
  reader: MessageRecipient,
  from: string,
  signInSecrets?: string,
): Promise<Omit<MailMessage, 'tag'>> {
  const fillHtml = await createHtmlFiller(content.html)
  if (content.kind !== 'sign_in') return composeMessage(content, reader, { from, tokens: HIDDEN_TOKENS, fillHtml })
  const signIn = signInSecrets === undefined ? HIDDEN_SIGN_IN : await createSignInLetter(signInSecrets, reader)
  return composeMessage(content, reader, { from, tokens: { ...HIDDEN_TOKENS, signIn }, fillHtml })
}

function composeMessage(
  content: SharedMailContent,
  reader: MessageRecipient,
  { from, tokens, fillHtml }: { from: string; tokens: LinkTokens; fillHtml: HtmlFiller },
): Omit<MailMessage, 'tag'> {
  const { replyTo, baseUrl } = content
  const link = `${baseUrl}/unsubscribe/${tokens.unsubscribe}`
  const links = {
    unsubscribeUrl: link,
    ...(tokens.preferences && { preferencesUrl: `${baseUrl}/preferences/${tokens.preferences}` }),
    ...(tokens.invitation && { invitationUrl: `${baseUrl}/invitations/${tokens.invitation}` }),
    ...(tokens.signIn && { code: tokens.signIn.code, signInUrl: `${baseUrl}/sign-in/${tokens.signIn.path}` }),
    ...(tokens.confirmation && { confirmationUrl: `${baseUrl}/confirmations/${tokens.confirmation}` }),
  }
  const { subject, html, text } =
    content.kind === 'digest'
      ? composeDigestMessage(content, reader, links)
      : fillMessage(content, reader, { links, fillHtml })
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
    headers:
      content.kind === 'sign_in'
        ? {}
        : { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

function fillMessage(
  { subject, text, variables }: SharedMailContent,
  reader: MessageRecipient,
  { links, fillHtml }: { links: Readonly<Record<string, string>>; fillHtml: HtmlFiller },
) {
  const values = createVariableLookup({ ...reader, everyone: variables }, links)
  return { subject: fillLine(subject, values), html: fillHtml(values), text: fillText(text, values) }
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
