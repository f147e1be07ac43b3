import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { toParagraphs } from '../../text/html/paragraphs'
import { listSimilarPortalIdeas } from '../api/queries/ideas'
import { submitPortalIdea } from '../api/writing/queries'
import { discardFiles, saveWithFiles } from '../api/writing/store-files'
import { acceptsIdeas, type Frame, withQuery } from '../components/frame'
import { findFieldProblem, MAX_TITLE_CHARACTERS } from '../components/idea-fields'
import { ideaPathOf, redirectToSignIn } from './change-idea'
import { readId } from './forms'
import { type OpenPortal, readFrame } from './open-portal'
import { type FormWithFiles, readFormWithFiles } from './read-files'
import { readLine, readText } from './read-form'
import { redirectToPage, respondWithPage } from './respond'
import { toBoardIdea } from './show-board'
import { isRefusedInput, showMissing } from './show-problem'
import { SimilarIdeas, SubmitPage, type SubmitProps } from './submit'

const MAX_SIMILAR_IDEAS = 5
const MAX_PRODUCT_CHARACTERS = 20

type Draft = Omit<SubmitProps, 'problem' | 'similar' | 'losesFiles'>

const EMPTY_DRAFT: Draft = { title: '', text: '', category: null, product: '', isCompared: false }

interface ShownForm {
  draft: Draft
  problem?: SubmitProps['problem']
  similar?: SubmitProps['similar']
  losesFiles?: boolean
}

function respondWithForm(
  c: Context<AppEnv>,
  frame: Frame,
  { draft, problem = null, similar = null, losesFiles = false }: ShownForm,
): Promise<Response> {
  if (!acceptsIdeas(frame)) return showMissing(c, frame)
  const page = <SubmitPage frame={{ ...frame, path: '/submit' }} form={{ ...draft, problem, similar, losesFiles }} />
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
  if (opened.isVisitor) return redirectToSignIn(c, opened, `${opened.base}/submit`)
  const { form, files, home, areFilesRefused } = await readFormWithFiles(c, opened)
  const draft = readDraft(form)
  const showAgain = (frame: Frame, shown: ShownForm) => {
    discardFiles(home, files)
    return respondWithForm(c, frame, { ...shown, losesFiles: files.length > 0 })
  }
  const problem = findFieldProblem(draft) ?? (areFilesRefused ? 'filesRefused' : null)
  if (problem) return showAgain(await readFrame(c, opened), { draft, problem })
  if (draft.isCompared) return saveIdea(c, opened, draft, { files, home })
  const { frame, similar } = await readSimilarIdeas(c, opened, draft.title)
  const compared = { ...draft, isCompared: true }
  return similar.length
    ? showAgain(frame, { draft: compared, similar })
    : saveIdea(c, opened, compared, { files, home })
}

async function saveIdea(
  c: Context<AppEnv>,
  opened: OpenPortal,
  draft: Draft,
  { files, home }: Pick<FormWithFiles, 'files' | 'home'>,
): Promise<Response> {
  const { title, text, category, product } = draft
  const idea = {
    ...{ product, title },
    ...(text && { text: toParagraphs(text) }),
    ...(category !== null && { categoryId: category }),
  }
  try {
    const { data } = await saveWithFiles(home, files, () => submitPortalIdea(home.db, idea, files))
    return redirectToPage(c, withQuery(ideaPathOf(opened.base, data.key), { submitted: 'yes' }))
  } catch (cause) {
    if (!isRefusedInput(cause)) throw cause
    const losesFiles = files.length > 0
    return respondWithForm(c, await readFrame(c, opened), { draft, problem: 'notSaved', losesFiles })
  }
}

/** A part of the page, for the script that searches while a visitor types. */
export async function showSimilarIdeas(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  if (opened.isVisitor) return redirectToSignIn(c, opened, `${opened.base}/submit`)
  const title = (c.req.query('title') ?? '').slice(0, MAX_TITLE_CHARACTERS)
  const { frame, similar } = await readSimilarIdeas(c, opened, title)
  return respondWithPage(c, <SimilarIdeas frame={frame} ideas={similar} />, { isShared: false })
}
