import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { fromParagraphs, toParagraphs } from '../../text/html/paragraphs'
import { getPortalIdea } from '../api/queries/ideas'
import { modifyPortalIdea } from '../api/writing/queries'
import { findFieldProblem } from '../components/idea-fields'
import { ideaPathOf, redirectToSignIn } from './change-idea'
import { EditIdeaPage, type EditIdeaProps } from './edit-idea'
import { readId } from './forms'
import { type OpenPortal, readFrame } from './open-portal'
import { readForm, readLine, readText } from './read-form'
import { redirectToPage, respondWithPage } from './respond'
import { findMissing, isRefusedInput, showMissing } from './show-problem'

/** A field is undefined if the form did not have it. */
interface Draft {
  title: string
  text: string | undefined
  category: number | null | undefined
}

const keyOf = (c: Context<AppEnv>) => c.req.param('key') ?? ''

/** Only authors see the form, and only before the approval. After a problem the form holds what the author typed. */
async function respondWithForm(
  c: Context<AppEnv>,
  opened: OpenPortal,
  { draft, problem = null }: { draft?: Draft; problem?: EditIdeaProps['problem'] } = {},
): Promise<Response> {
  const key = keyOf(c)
  const [frame, idea] = await Promise.all([
    readFrame(c, opened),
    getPortalIdea(opened.db, { feedback_external_key: key }).catch(findMissing),
  ])
  if (!idea?.own || idea.key !== key || !(idea.pending || problem === 'published')) return showMissing(c, frame)
  const isListed = frame.portal.categories.some(({ id }) => id === idea.categoryId)
  const form = {
    ...{ key, title: draft?.title ?? idea.title, text: draft?.text ?? fromParagraphs(idea.text), problem },
    category: draft?.category === undefined ? idea.categoryId : draft.category,
    hasCategoryField: idea.categoryId === null || isListed,
  }
  const shown = { ...frame, path: `${ideaPathOf('', key)}/edit` }
  const status = problem ? 400 : 200
  return respondWithPage(c, <EditIdeaPage frame={shown} form={form} />, { status, isShared: false })
}

export async function showEditIdea(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const path = `${ideaPathOf(opened.base, keyOf(c))}/edit`
  return opened.isVisitor ? redirectToSignIn(c, opened, path) : respondWithForm(c, opened)
}

const readDraft = (form: URLSearchParams): Draft => ({
  title: readLine(form, 'title'),
  text: form.has('text') ? readText(form, 'text') : undefined,
  category: form.has('category') ? readId(form.get('category')) : undefined,
})

export async function changeIdea(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const form = await readForm(c, opened)
  const key = keyOf(c)
  const path = ideaPathOf(opened.base, key)
  if (opened.isVisitor) return redirectToSignIn(c, opened, `${path}/edit`)
  const draft = readDraft(form)
  const { title, text, category } = draft
  const problem = findFieldProblem({ title, text: text ?? '' })
  if (problem) return respondWithForm(c, opened, { draft, problem })
  try {
    await modifyPortalIdea(
      opened.db,
      { feedback_external_key: key },
      {
        title,
        ...(text !== undefined && { text: toParagraphs(text) }),
        ...(category !== undefined && { categoryId: category }),
      },
    )
    return redirectToPage(c, `${path}?saved=yes`)
  } catch (cause) {
    if (!isRefusedInput(cause)) throw cause
    return respondWithForm(c, opened, { draft, problem: cause.status === 409 ? 'published' : 'notChanged' })
  }
}
