import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { listSimilarPortalIdeas } from '../api/queries/ideas'
import { submitPortalIdea } from '../api/writing/queries'
import { acceptsIdeas, type Frame, withQuery } from '../components/frame'
import { findFieldProblem, MAX_TITLE_CHARACTERS } from '../components/idea-fields'
import { ideaPathOf, redirectToSignIn } from './change-idea'
import { readId, toParagraphs } from './forms'
import { type OpenPortal, readFrame } from './open-portal'
import { readForm, readLine, readText } from './read-form'
import { redirectToPage, respondWithPage } from './respond'
import { toBoardIdea } from './show-board'
import { isRefusedInput, showMissing } from './show-problem'
import { SimilarIdeas, SubmitPage, type SubmitProps } from './submit'

const MAX_SIMILAR_IDEAS = 5
const MAX_PRODUCT_CHARACTERS = 20

type Draft = Omit<SubmitProps, 'problem' | 'similar'>

const EMPTY_DRAFT: Draft = { title: '', text: '', category: null, product: '', isCompared: false }

interface ShownForm {
  draft: Draft
  problem?: SubmitProps['problem']
  similar?: SubmitProps['similar']
}

function respondWithForm(
  c: Context<AppEnv>,
  frame: Frame,
  { draft, problem = null, similar = null }: ShownForm,
): Promise<Response> {
  if (!acceptsIdeas(frame)) return showMissing(c, frame)
  const page = <SubmitPage frame={{ ...frame, path: '/submit' }} form={{ ...draft, problem, similar }} />
  return respondWithPage(c, page, { status: problem ? 400 : 200, isShared: false })
}

export async function showSubmit(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  if (opened.isVisitor) return redirectToSignIn(c, opened, `${opened.base}/submit`)
  return respondWithForm(c, await readFrame(c, opened), { draft: EMPTY_DRAFT })
}

async function readSimilarIdeas(c: Context<AppEnv>, opened: OpenPortal, title: string) {
  const [frame, ideas] = await Promise.all([
    readFrame(c, opened),
    listSimilarPortalIdeas(opened.db, title, MAX_SIMILAR_IDEAS),
  ])
  return { frame, similar: ideas.map((idea) => toBoardIdea(frame, idea)) }
}

const readDraft = (form: URLSearchParams): Draft => ({
  ...{ title: readLine(form, 'title'), text: readText(form, 'text'), category: readId(form.get('category')) },
  product: readLine(form, 'product').slice(0, MAX_PRODUCT_CHARACTERS),
  isCompared: form.get('compared') === 'yes',
})

/** Shows similar ideas before the first try to send, unless there are none. */
export async function postIdea(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  if (opened.isVisitor) return redirectToSignIn(c, opened, `${opened.base}/submit`)
  const draft = readDraft(form)
  const problem = findFieldProblem(draft)
  if (problem) return respondWithForm(c, await readFrame(c, opened), { draft, problem })
  if (draft.isCompared) return saveIdea(c, opened, draft)
  const { frame, similar } = await readSimilarIdeas(c, opened, draft.title)
  const compared = { ...draft, isCompared: true }
  return similar.length ? respondWithForm(c, frame, { draft: compared, similar }) : saveIdea(c, opened, compared)
}

async function saveIdea(c: Context<AppEnv>, opened: OpenPortal, draft: Draft): Promise<Response> {
  const { title, text, category, product } = draft
  try {
    const { data } = await submitPortalIdea(opened.db, {
      ...{ product, title },
      ...(text && { text: toParagraphs(text) }),
      ...(category !== null && { categoryId: category }),
    })
    return redirectToPage(c, withQuery(ideaPathOf(opened.base, data.key), { submitted: 'yes' }))
  } catch (cause) {
    if (!isRefusedInput(cause)) throw cause
    return respondWithForm(c, await readFrame(c, opened), { draft, problem: 'notSaved' })
  }
}

/** A part of the page, for the script that searches while a visitor types. */
export async function showSimilarIdeas(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  if (opened.isVisitor) return redirectToSignIn(c, opened, `${opened.base}/submit`)
  const title = (c.req.query('title') ?? '').slice(0, MAX_TITLE_CHARACTERS)
  const { frame, similar } = await readSimilarIdeas(c, opened, title)
  return respondWithPage(c, <SimilarIdeas frame={frame} ideas={similar} />, { isShared: false })
}
