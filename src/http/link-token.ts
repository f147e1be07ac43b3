import { base64url } from 'jose'
import { loadSigningSecrets, secretsError } from './token'

export interface UnsubscribeLink {
  subscriptionId: number
  emailId: number
  position: number
}

/** A link that ends when the person gets another address, because it proves the address of its mail only. */
interface AddressLink {
  subscriptionId: number
  /** Number of changes of the address before the mail. */
  addressRound: number
}

/** Leads to the preferences of the recipient of a mail. */
export interface PreferencesLink extends AddressLink {
  emailId: number
  position: number
}

export interface InvitationLink extends AddressLink {
  userId: number
  round: number
}

/** Leads to the confirmation of a member of a segment. */
export interface ConfirmationLink extends AddressLink {
  segmentId: number
  userId: number
}

export const LINK_TOKEN_PATTERN =
  /^([1-9]\d{0,15})-([1-9]\d{0,15})-(0|[1-9]\d{0,15})(?:-([1-9]\d{0,15}))?\.([\w-]{42}[AEIMQUYcgkosw048])$/

type LinkPurpose = 'unsubscribe' | 'preferences' | 'invitation' | 'confirmation'
/** The address round of a first address is 0, and is left out. */
type LinkParts = readonly [subscriptionId: number, id: number, part: number, addressRound: number]

// The signed text of a JWT has no colon: a link is never valid as a key, a key never as a link, and a link only for a
// single purpose.
const signedLinkBytes = (purpose: LinkPurpose, text: string) => new TextEncoder().encode(`${purpose}:${text}`)

const textOfLink = ([subscriptionId, id, part, addressRound]: LinkParts) =>
  [subscriptionId, id, part, ...(addressRound === 0 ? [] : [addressRound])].join('-')

async function signLink(secrets: string, purpose: LinkPurpose, named: LinkParts): Promise<string> {
  const [secret] = await loadSigningSecrets(secrets)
  if (!secret) throw secretsError(' is empty')
  const text = textOfLink(named)
  const signature = await crypto.subtle.sign('HMAC', secret.key, signedLinkBytes(purpose, text))
  return `${text}.${base64url.encode(new Uint8Array(signature))}`
}

async function verifyLink(secrets: string, purpose: LinkPurpose, token: string): Promise<LinkParts | undefined> {
  const [, subscriptionId, id, part, addressRound = 0, signature = ''] = LINK_TOKEN_PATTERN.exec(token) ?? []
  const parts: LinkParts = [Number(subscriptionId), Number(id), Number(part), Number(addressRound)]
  const bytes = signedLinkBytes(purpose, textOfLink(parts))
  for (const { key } of await loadSigningSecrets(secrets)) {
    if (!(await crypto.subtle.verify('HMAC', key, new Uint8Array(base64url.decode(signature)), bytes))) continue
    return parts
  }
  return undefined
}

/** The token does not expire, and outlives a change of the address: nobody gets mail after a click that should stop it. */
export const signUnsubscribeToken = (secrets: string, { subscriptionId, emailId, position }: UnsubscribeLink) =>
  signLink(secrets, 'unsubscribe', [subscriptionId, emailId, position, 0])

export async function verifyUnsubscribeToken(secrets: string, token: string): Promise<UnsubscribeLink | undefined> {
  const named = await verifyLink(secrets, 'unsubscribe', token)
  return named && { subscriptionId: named[0], emailId: named[1], position: named[2] }
}

/** The token works as long as the person has the address of the mail. */
export const signPreferencesToken = (
  secrets: string,
  { subscriptionId, emailId, position, addressRound }: PreferencesLink,
) => signLink(secrets, 'preferences', [subscriptionId, emailId, position, addressRound])

export async function verifyPreferencesToken(secrets: string, token: string): Promise<PreferencesLink | undefined> {
  const named = await verifyLink(secrets, 'preferences', token)
  return named && { subscriptionId: named[0], emailId: named[1], position: named[2], addressRound: named[3] }
}

/** The database knows the expiry and a withdrawal. */
export const signInvitationToken = (secrets: string, { subscriptionId, userId, round, addressRound }: InvitationLink) =>
  signLink(secrets, 'invitation', [subscriptionId, userId, round, addressRound])

export async function verifyInvitationToken(secrets: string, token: string): Promise<InvitationLink | undefined> {
  const named = await verifyLink(secrets, 'invitation', token)
  return named && { subscriptionId: named[0], userId: named[1], round: named[2], addressRound: named[3] }
}

/** The token works as long as the person has the address of the mail, and is a member of the segment. */
export const signConfirmationToken = (
  secrets: string,
  { subscriptionId, segmentId, userId, addressRound }: ConfirmationLink,
) => signLink(secrets, 'confirmation', [subscriptionId, segmentId, userId, addressRound])

export async function verifyConfirmationToken(secrets: string, token: string): Promise<ConfirmationLink | undefined> {
  const named = await verifyLink(secrets, 'confirmation', token)
  return named && { subscriptionId: named[0], segmentId: named[1], userId: named[2], addressRound: named[3] }
}
