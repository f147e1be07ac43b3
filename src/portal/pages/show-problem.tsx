import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { ApiError } from '../../text/errors'
import { type Frame, withQuery } from '../components/frame'
import { createFormats } from '../texts/formats'
import { type Language, textsOf } from '../texts/language'
import { ProblemPage } from './problem'
import { redirectToPage, respondWithPage } from './respond'

/** For reads whose record may be missing. */
export function findMissing(cause: unknown): undefined {
  if (cause instanceof ApiError && cause.status === 404) return undefined
  throw cause
}

export const showMissing = (c: Context<AppEnv>, frame: Frame): Promise<Response> =>
  respondWithPage(
    c,
    <ProblemPage frame={frame} title={frame.texts.problems.missing} hint={frame.texts.problems.missingHint} />,
    { status: 404, isShared: false },
  )

/** For pages outside a portal: the reader may not know more about the portal. */
function createBareFrame(c: Context<AppEnv>, language: Language): Frame {
  const portal = {
    ...{ slug: '', name: 'Groundwork', locale: language, accent: null, mode: 'system' as const, isPrivate: false },
    ...{ hasRoadmap: false, hasChangelog: false, logoUrl: null, darkLogoUrl: null, statuses: [], categories: [] },
  }
  return {
    ...{ portal, visitor: null, signInPath: null, language, texts: textsOf(language), path: '' },
    ...{ formats: createFormats(language, Date.now()), origin: new URL(c.req.url).origin },
  }
}

const PROBLEMS: Partial<Record<number, 'missing' | 'forbidden' | 'gone'>> = {
  400: 'missing',
  403: 'forbidden',
  404: 'missing',
  410: 'gone',
}

/** A stranger signs in first. Further failures keep the response of the service. */
export async function showRefusal(c: Context<AppEnv>, language: Language, cause: unknown): Promise<Response> {
  if (cause instanceof ApiError && cause.status === 401) {
    const { pathname, search } = new URL(c.req.url)
    return redirectToPage(c, withQuery('/sign-in', { next: pathname + search, portal: c.req.param('portal') }))
  }
  const problem = cause instanceof ApiError ? PROBLEMS[cause.status] : undefined
  if (!(cause instanceof ApiError) || !problem) throw cause
  const frame = createBareFrame(c, language)
  const { problems } = frame.texts
  return respondWithPage(c, <ProblemPage frame={frame} title={problems[problem]} hint={problems[`${problem}Hint`]} />, {
    ...{ status: cause.status, isShared: false },
  })
}
