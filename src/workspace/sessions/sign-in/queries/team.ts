import { type SQL, sql } from 'drizzle-orm'
import type { Store } from '../../../../db/client/client'
import { signIns } from '../../../../db/schema/sign-ins'
import { apiKeys, subscriptions, users } from '../../../../db/schema/tenancy'
import type { Actor } from '../../../../db/sql/actor'
import { isReadInThisHome, oneOrSeveralHomes } from '../../../../db/sql/fence'
import { caller, directlyAfter, inline, param, statement, type Values } from '../../../../db/sql/statement'
import { SIGN_IN_TTL_MS } from '../../../../http/sign-in-token'
import { createMailStatements, type NewMailing } from '../../../../people/mail/statements'
import {
  emitSessionCreated,
  joinStandingWorkspace,
  mailSignsIn,
  makeSessionInsert,
  toSessionActor,
} from '../statements'

export const MAX_SIGN_IN_MAILS_PER_HOUR = 5
const MAX_CODE_TRIES = 5
const MAX_CHOSEN_WORKSPACES = 100
const HOUR_MS = inline(3_600_000)

/** People of the team with the address, in all workspaces. The index `users_sign_in` has the same condition. */
const personSignsIn = sql`${users.email} = ${param('email')} AND ${users.role} <> 'idm_member' AND ${users.deletedAt} IS NULL
  AND ${mailSignsIn}`

export interface SignInPerson {
  subscriptionId: number
  userId: number
}

const isPersonHere = sql` AND ${isReadInThisHome(users.subscriptionId)}`

/** The person has signed in with the address, which only its reader can: an admin can give the address to any person. */
const addressIsProven = sql`(${users.addressRound} = 0 AND EXISTS (SELECT 1 FROM ${apiKeys}
  WHERE ${apiKeys.subscriptionId} = ${users.subscriptionId} AND ${apiKeys.userId} = ${users.id} AND ${apiKeys.kind} = 'session'))`

/** The workspace of the person sends the mail, and can end the sign-in by a change of the person. */
const createPersonSelect = (isHere: SQL = sql``) =>
  statement<SignInPerson, { email: string }>(
    sql`SELECT ${users.subscriptionId} AS "subscriptionId", ${users.id} AS "userId" FROM ${users} ${joinStandingWorkspace}
    WHERE ${personSignsIn}${isHere} ORDER BY ${addressIsProven} DESC, ${users.id} LIMIT 1`,
  )
const selectPerson = oneOrSeveralHomes(createPersonSelect(), createPersonSelect(isPersonHere))

export async function findPerson(store: Store, email: string): Promise<SignInPerson | undefined> {
  const [[found]] = await store.batch(null, selectPerson({ email }))
  return found
}

const hourHasEnded = sql`${signIns.sentSince} <= ${caller.now} - ${HOUR_MS}`

/** A further mail ends the code before. */
const upsertSignIn = statement<never, Values>(sql`
  INSERT INTO ${signIns} (address_hash, subscription_id, user_id, nonce, sent_since, expires_at)
  VALUES (${param('addressHash')}, ${param('subscriptionId')}, ${param('userId')}, ${param('nonce')}, ${caller.now},
    ${caller.now} + ${inline(SIGN_IN_TTL_MS)})
  ON CONFLICT (address_hash) DO UPDATE SET subscription_id = excluded.subscription_id, user_id = excluded.user_id,
    nonce = excluded.nonce, tries = 0, used_at = NULL, expires_at = excluded.expires_at,
    sent = iif(${hourHasEnded}, 1, ${signIns.sent} + 1), sent_since = iif(${hourHasEnded}, excluded.sent_since, ${signIns.sentSince})
  WHERE ${hourHasEnded} OR ${signIns.sent} < ${inline(MAX_SIGN_IN_MAILS_PER_HOUR)}`)

const selectIsAccepted = statement<{ nonce: string }, { nonce: string }>(
  sql`SELECT ${signIns.nonce} AS "nonce" FROM ${signIns} WHERE ${signIns.nonce} = ${param('nonce')}`,
)

const acceptSignInMail = createMailStatements<Values>(
  'sign_in',
  sql`SELECT ${param('email')} AS "email", json_object('signIn', ${signIns.nonce}, 'next', ${param('next')}) AS "variables"
    FROM ${signIns} WHERE ${signIns.nonce} = ${param('nonce')} AND ${signIns.subscriptionId} > 0`,
  { allowsAnyAddress: true },
)

export interface NewSignIn {
  addressHash: string
  nonce: string
  email: string
  next: string
}

/** The statements are the same for every address. Returns false after the last mail of the hour. */
export async function startSignIn(
  store: Store,
  person: SignInPerson | undefined,
  asked: NewSignIn,
  mailing: NewMailing,
): Promise<boolean> {
  const { subscriptionId = 0, userId = 0 } = person ?? {}
  const values = { ...asked, subscriptionId, userId }
  const statements = [upsertSignIn(values), selectIsAccepted({ nonce: asked.nonce })] as const
  const [, accepted] = await store.batch(subscriptionId, ...statements, ...acceptSignInMail(mailing, values))
  return accepted.length > 0
}

const signInIsOpen = sql`${signIns.usedAt} IS NULL AND ${signIns.expiresAt} > ${caller.now}`

interface OpenNonce {
  /** Of the address that the mail went to. */
  addressHash: string
  nonce: string
  /** The workspace that mailed the code. The person may choose a workspace of another home. */
  mailedBy: number
}

/** Counts before it compares, so that parallel tries count too. */
const countTry = statement<OpenNonce, { addressHashes: string }>(sql`
  UPDATE ${signIns} SET tries = tries + 1
  WHERE ${signIns.addressHash} IN (SELECT value FROM json_each(${param('addressHashes')})) AND ${signInIsOpen}
    AND ${signIns.tries} < ${inline(MAX_CODE_TRIES)}
  RETURNING ${signIns.addressHash} AS "addressHash", ${signIns.nonce} AS "nonce", ${signIns.subscriptionId} AS "mailedBy"`)

/** Returns what the codes are computed from, at most one per home and hash; empty if the address has no open code. */
export async function listNoncesOfTry(store: Store, addressHashes: readonly string[]): Promise<OpenNonce[]> {
  return (await store.batch(null, countTry({ addressHashes: JSON.stringify(addressHashes) })))[0]
}

export interface OpenSignIn extends OpenNonce {
  /** The address that the hash stands for. */
  email: string
}

/** The sign-in of a link with the present address of the person, which may differ from the address of the mail. */
export interface FoundSignIn extends OpenNonce {
  presentEmail: string
}

const selectSignInOfLink = statement<FoundSignIn, { nonce: string }>(sql`
  SELECT ${signIns.addressHash} AS "addressHash", ${signIns.nonce} AS "nonce", ${signIns.subscriptionId} AS "mailedBy",
    ${users.email} AS "presentEmail"
  FROM ${signIns} CROSS JOIN ${users} ON ${users.id} = ${signIns.userId} AND ${users.subscriptionId} = ${signIns.subscriptionId}
    AND ${users.deletedAt} IS NULL
  WHERE ${signIns.nonce} = ${param('nonce')} AND ${signInIsOpen}`)

export async function findSignInOfLink(store: Store, nonce: string): Promise<FoundSignIn | undefined> {
  const [[found]] = await store.batch(null, selectSignInOfLink({ nonce }))
  return found
}

export interface SignInWorkspace {
  id: number
  name: string
  role: string
  userId: number
}

const createWorkspacesSelect = (isHere: SQL = sql``) =>
  statement<SignInWorkspace, { email: string }>(sql`
  SELECT ${subscriptions.id} AS "id", ${subscriptions.name} AS "name", ${users.role} AS "role",
    ${users.id} AS "userId" FROM ${users} ${joinStandingWorkspace}
  WHERE ${personSignsIn}${isHere} ORDER BY ${subscriptions.name}, ${subscriptions.id} LIMIT ${inline(MAX_CHOSEN_WORKSPACES)}`)
const selectWorkspaces = oneOrSeveralHomes(createWorkspacesSelect(), createWorkspacesSelect(isPersonHere))

/** Choosing a workspace is no further try. */
const uncountTry = statement<never, { addressHash: string }>(sql`
  UPDATE ${signIns} SET tries = max(tries - 1, 0) WHERE ${signIns.addressHash} = ${param('addressHash')}`)

export async function listWorkspaces(store: Store, { addressHash, email }: OpenSignIn): Promise<SignInWorkspace[]> {
  const [workspaces] = await store.batch(null, selectWorkspaces({ email }), uncountTry({ addressHash }))
  return workspaces
}

const useSignIn = statement<{ used: 1 }, Values>(sql`
  UPDATE ${signIns} SET used_at = ${caller.now}
  WHERE ${signIns.addressHash} = ${param('addressHash')} AND ${signIns.nonce} = ${param('nonce')} AND ${signInIsOpen}
  RETURNING 1 AS "used"`)

const insertSession = makeSessionInsert(sql`${mailSignsIn} AND changes() > 0`)
const insertSessionOfUsedCode = makeSessionInsert(mailSignsIn)

/**
 * Only one of several tries with the right code signs in. Without `sharesHome`, the code may be in another home than the
 * workspace, and is used first.
 */
export async function createSession(
  store: Store,
  { addressHash, nonce, email, mailedBy }: OpenSignIn,
  { id: subscriptionId, userId }: SignInWorkspace,
  { name, sharesHome }: { name: string; sharesHome: boolean },
): Promise<Actor | undefined> {
  const jti = crypto.randomUUID()
  const values = { addressHash, nonce, email, name, jti, '@user': userId, '@key': jti }
  const use = useSignIn(values)
  if (!sharesHome) {
    const [[used]] = await store.batch(mailedBy, use)
    if (!used) return undefined
    const insert = insertSessionOfUsedCode(values)
    const [[made]] = await store.batch(subscriptionId, insert, directlyAfter(insert, emitSessionCreated(values)))
    return made && toSessionActor(made, { subscriptionId, userId, jti })
  }
  const insert = directlyAfter(use, insertSession(values))
  const [, [made]] = await store.batch(subscriptionId, use, insert, directlyAfter(insert, emitSessionCreated(values)))
  return made && toSessionActor(made, { subscriptionId, userId, jti })
}
