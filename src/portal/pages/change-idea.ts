import type { Context } from 'hono'
import { followChangelog, leaveChangelog } from '../../feedback/changelog/following/own'
import { type AppEnv, addCommonHeaders } from '../../http/response'
import { followPortalIdea, votePortalIdea } from '../api/writing/queries'
import { withQuery } from '../components/frame'
import { LANGUAGES, type Language, textsOf } from '../texts/language'
import { readReturnPath } from './forms'
import { type OpenPortal, rootOf } from './open-portal'
import { readForm } from './read-form'
import { redirectToPage, wantsJson } from './respond'

export const ideaPathOf = (base: string, key: string): string => `${base}/ideas/${encodeURIComponent(key)}`

/** A visitor signs in first, and comes back. A vote counts after the sign-in. */
export const redirectToSignIn = (c: Context<AppEnv>, { base }: OpenPortal, returnTo: string, vote = ''): Response =>
  redirectToPage(c, withQuery(`${base}/sign-in`, { return: returnTo, vote }))

const keyOf = (c: Context<AppEnv>) => c.req.param('key') ?? ''

/** Language of the page with the form. */
const readLanguage = (form: URLSearchParams): Language =>
  LANGUAGES.find((language) => language === form.get('lang')) ?? 'en'

/** Answers a script with the number of votes, and a form with the page that it came from. */
export async function postVote(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  const key = keyOf(c)
  const returnPath = readReturnPath(rootOf(c, opened.slug), form.get('return') ?? ideaPathOf(opened.base, key))
  const isFor = form.get('type') !== 'none'
  if (opened.isVisitor) return redirectToSignIn(c, opened, returnPath, isFor ? key : '')
  const { votes, voted } = await votePortalIdea(opened.db, { feedback_external_key: key }, isFor)
  if (!wantsJson(c)) return redirectToPage(c, returnPath)
  const answer = { votes, hasVoted: voted, count: textsOf(readLanguage(form)).votes(votes) }
  return addCommonHeaders(c, Response.json(answer, { headers: { 'Cache-Control': 'private, no-store' } }))
}

export async function postFollow(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  const key = keyOf(c)
  const path = ideaPathOf(opened.base, key)
  if (opened.isVisitor) return redirectToSignIn(c, opened, path)
  await followPortalIdea(opened.db, { feedback_external_key: key }, form.get('follow') !== 'no')
  return redirectToPage(c, path)
}

export async function postFollowOfChangelog(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  const path = `${opened.base}/changelog`
  if (opened.isVisitor) return redirectToSignIn(c, opened, path)
  if (form.get('follow') === 'no') await leaveChangelog(opened.db)
  else await followChangelog(opened.db)
  return redirectToPage(c, path)
}
