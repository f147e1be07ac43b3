import type { Context } from 'hono'
import { isServiceHost } from '../../http/own-host'
import { type AppEnv, openUnchargedStore } from '../../http/response'
import { EmailAddress } from '../../http/schemas'
import { ApiError } from '../../text/errors'
import { selectOfferedProvider } from '../../workspace/sessions/oidc/statements'
import { finishSignIn, sendSignInMail, verifyCode } from '../../workspace/sessions/sign-in/flow'
import { votePortalIdea } from '../api/writing/queries'
import { readReturnPath } from './forms'
import { createClosedFrame, type OpenPortal, openPortalDatabase, readFrame, rootOf } from './open-portal'
import { readForm } from './read-form'
import { redirectToPage, respondWithPage } from './respond'
import { SignInPage, type SignInProps } from './sign-in'

const CODE_PATTERN = /^\d{6}$/
const MAX_ADDRESS_CHARACTERS = 320
const MAX_KEY_CHARACTERS = 30

/** Strangers see the name of a private portal only in its address, and sign in by the provider too. */
async function readSignInFrame(c: Context<AppEnv>, opened: OpenPortal) {
  const selectProvider = selectOfferedProvider({})
  try {
    const [frame, [[provider]]] = await Promise.all([readFrame(c, opened), opened.db.read(selectProvider)])
    return { frame, provider }
  } catch (cause) {
    if (!(cause instanceof ApiError && (cause.status === 401 || cause.status === 403))) throw cause
    const [[provider]] = await openUnchargedStore(c).batch(opened.actor.subscriptionId, selectProvider)
    return { frame: createClosedFrame(c, opened), provider }
  }
}

async function respond(c: Context<AppEnv>, opened: OpenPortal, form: SignInProps, status = 200): Promise<Response> {
  const read = await readSignInFrame(c, opened)
  // Without the query, so that the links to the other language lead to a page that works.
  const frame = { ...read.frame, path: '/sign-in' }
  // A provider leads back to the host of the service only, where its cookie is.
  const provider = read.provider && isServiceHost(c) ? new URL(read.provider.issuer).host : null
  return respondWithPage(c, <SignInPage {...{ frame, form, provider }} />, { status, isShared: false })
}

/** Fields that both steps hand on. */
const readTarget = (c: Context<AppEnv>, { base, slug }: OpenPortal, given: URLSearchParams) => ({
  email: (given.get('email') ?? '').trim().slice(0, MAX_ADDRESS_CHARACTERS),
  returnTo: readReturnPath(rootOf(c, slug), given.get('return') || base),
  vote: (given.get('vote') ?? '').slice(0, MAX_KEY_CHARACTERS),
})

export function showSignIn(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const { searchParams } = new URL(c.req.url)
  searchParams.delete('email')
  return respond(c, opened, { ...readTarget(c, opened, searchParams), isCodeSent: false, error: null })
}

/** The answer is the same for every address. */
export async function postAddress(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = readTarget(c, opened, await readForm(c, opened))
  const address = EmailAddress.safeParse(form.email)
  if (!address.success) return respond(c, opened, { ...form, isCodeSent: false, error: 'invalidMail' }, 400)
  const email = address.data
  try {
    await sendSignInMail(c, { email, next: form.returnTo, portal: opened.slug })
  } catch (cause) {
    if (!(cause instanceof ApiError && cause.code === 'rate_limited')) throw cause
    return respond(c, opened, { ...form, email, isCodeSent: true, error: 'tooMany' }, 429)
  }
  return respond(c, opened, { ...form, email, isCodeSent: true, error: null })
}

/** Signs in with the code, and casts the vote that led to the sign-in. */
export async function postCode(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const fields = await readForm(c, opened)
  const form = readTarget(c, opened, fields)
  const code = (fields.get('code') ?? '').replaceAll(/\s/g, '')
  const address = EmailAddress.safeParse(form.email)
  const asked = { email: address.data ?? '', code, portal: opened.slug }
  const open = address.success && CODE_PATTERN.test(code) ? await verifyCode(c, asked) : undefined
  const result = open && (await finishSignIn(c, open, { portal: opened.slug }))
  if (result?.kind !== 'done') return respond(c, opened, { ...form, isCodeSent: true, error: 'wrong' }, 400)
  if (form.vote) await castVoteOfSignIn(c, opened, { actor: result.actor, key: form.vote })
  const response = redirectToPage(c, form.returnTo)
  response.headers.set('Set-Cookie', result.cookie)
  return response
}

async function castVoteOfSignIn(
  c: Context<AppEnv>,
  { slug, now }: OpenPortal,
  { actor, key }: { actor: OpenPortal['actor']; key: string },
): Promise<void> {
  try {
    await votePortalIdea(openPortalDatabase(c, slug, actor, now), { feedback_external_key: key }, true)
  } catch (cause) {
    // The page of the idea shows that voting has ended, or that there is no such idea.
    if (!(cause instanceof ApiError)) throw cause
  }
}
