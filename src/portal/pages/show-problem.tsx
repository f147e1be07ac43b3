import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { CLEARED_SESSION_COOKIE } from '../../http/session-cookie'
import { ApiError } from '../../text/errors'
import { type Frame, signInPathOf, withQuery } from '../components/frame'
import { createFormats } from '../texts/formats'
import { type Language, textsOf } from '../texts/language'
import { createClosedFrame, type OpenPortal, rootOf, shownPathOf } from './open-portal'
import { ProblemPage } from './problem'
import { redirectToPage, respondWithPage, wantsJson } from './respond'

/** For reads whose record may be missing. */
export function findMissing(cause: unknown): undefined {
  if (cause instanceof ApiError && cause.status === 404) return undefined
  throw cause
}

/** The service does not accept what the form holds; a further try with other input can succeed. */
export const isRefusedInput = (cause: unknown): cause is ApiError =>
  cause instanceof ApiError && [400, 409, 422].includes(cause.status)

export const showMissing = (c: Context<AppEnv>, frame: Frame): Promise<Response> =>
  respondWithPage(
    c,
    <ProblemPage frame={frame} title={frame.texts.problems.missing} hint={frame.texts.problems.missingHint} />,
    { status: 404, isShared: false },
  )

/** For pages outside a portal: the reader may not know more about the portal. */
function createBareFrame(c: Context<AppEnv>, language: Language): Frame {
  const portal = {
    ...{
      slug: '',
      root: '',
      domain: null,
      name: 'Groundwork',
      locale: language,
      accent: null,
      mode: 'system' as const,
      isPrivate: false,
    },
    ...{ hasRoadmap: false, hasChangelog: false, logoUrl: null, darkLogoUrl: null },
    ...{ statuses: [], categories: [], products: [] },
  }
  return {
    ...{ portal, visitor: null, signInPath: null, language, texts: textsOf(language), path: '' },
    ...{ formats: createFormats(language, Date.now()), origin: new URL(c.req.url).origin },
  }
}

type Problem = 'missing' | 'forbidden' | 'gone' | 'crossSite'
const PROBLEMS: Partial<Record<number, Problem>> = { 400: 'missing', 403: 'forbidden', 404: 'missing', 410: 'gone' }

const problemOf = (c: Context<AppEnv>, { code, status }: ApiError): Problem | undefined => {
  if (code === 'origin_not_allowed') return 'crossSite'
  // A form that fails is no wrong address.
  return c.req.method === 'POST' && status === 400 ? undefined : PROBLEMS[status]
}

interface Refusal {
  language: Language
  cause: unknown
  /** Undefined if the portal was not found, or if the request came from another site. */
  opened: OpenPortal | undefined
}

/** A session that has ended becomes a visitor. A stranger signs in first. */
function askWhoIsThere(c: Context<AppEnv>, opened: OpenPortal | undefined): Response {
  const path = shownPathOf(c) + new URL(c.req.url).search
  const isRead = c.req.method !== 'POST'
  const base = opened?.base ?? rootOf(c, c.req.param('portal') ?? '')
  const ended = opened?.hasSession
  const response = redirectToPage(
    c,
    ended && isRead ? path : withQuery(`${base}/sign-in`, { return: isRead ? path : base }),
  )
  if (ended) response.headers.set('Set-Cookie', CLEARED_SESSION_COOKIE)
  return response
}

/** Failures of the service itself keep the response of the service, and a script gets the failure as data. */
export async function showRefusal(c: Context<AppEnv>, { language, cause, opened }: Refusal): Promise<Response> {
  if (!(cause instanceof ApiError) || wantsJson(c)) throw cause
  if (cause.status === 401) return askWhoIsThere(c, opened)
  const problem = problemOf(c, cause)
  const isClosed = problem === 'forbidden' && opened?.hasSession
  const frame = isClosed ? createClosedFrame(c, opened as OpenPortal) : createBareFrame(c, language)
  const { problems, signInPage } = frame.texts
  const [title, hint] = problem
    ? [problems[problem], problems[`${problem}Hint`]]
    : [problems.failed, problems.nothingChanged]
  const response = await respondWithPage(
    c,
    <ProblemPage frame={frame} title={title} hint={hint}>
      {isClosed ? (
        <p>
          <a href={signInPathOf(frame, '')}>{signInPage.other}</a>
        </p>
      ) : (
        ''
      )}
    </ProblemPage>,
    { status: cause.status, isShared: false },
  )
  for (const [name, value] of Object.entries(cause.headers)) response.headers.set(name, value)
  return response
}
