import type { Context } from 'hono'
import type { AppEnv } from '../../http/response'
import { toParagraphs } from '../../text/html/paragraphs'
import { addPortalComment, modifyPortalComment, removePortalComment } from '../api/writing/queries'
import { type CommentDraft, type CommentProblem, MAX_COMMENT_CHARACTERS } from '../components/comment-form'
import { ideaPathOf, redirectToSignIn } from './change-idea'
import { readId } from './forms'
import type { OpenPortal } from './open-portal'
import { readForm, readText } from './read-form'
import { redirectToPage } from './respond'
import { showIdeaWithDraft } from './show-idea'
import { isRefusedInput } from './show-problem'

const keyOf = (c: Context<AppEnv>) => c.req.param('key') ?? ''

function findProblem(text: string): CommentProblem | undefined {
  if (!text) return 'commentMissing'
  return text.length > MAX_COMMENT_CHARACTERS ? 'commentLong' : undefined
}

type DraftPlace = Pick<CommentDraft, 'parent' | 'changed'>

/** Saves the text of the form. With a problem, the page shows the form with the text again. */
async function saveText(
  c: Context<AppEnv>,
  opened: OpenPortal,
  readPlace: (form: URLSearchParams) => DraftPlace,
  save: (html: string, place: DraftPlace) => Promise<number>,
): Promise<Response> {
  const form = await readForm(c, opened)
  const path = ideaPathOf(opened.base, keyOf(c))
  if (opened.isVisitor) return redirectToSignIn(c, opened, path)
  const text = readText(form, 'text')
  const place = readPlace(form)
  const problem = findProblem(text)
  if (problem) return showIdeaWithDraft(c, opened, { ...place, text, problem })
  try {
    const id = await save(toParagraphs(text), place)
    return redirectToPage(c, `${path}#comment-${id}`)
  } catch (cause) {
    if (!isRefusedInput(cause)) throw cause
    return showIdeaWithDraft(c, opened, { ...place, text, problem: 'notSaved' })
  }
}

export const postComment = (c: Context<AppEnv>, opened: OpenPortal): Promise<Response> =>
  saveText(
    c,
    opened,
    (form) => ({ parent: readId(form.get('parent')), changed: null }),
    async (text, { parent }) => {
      const comment = { text, ...(parent !== null && { parentId: parent }) }
      return (await addPortalComment(opened.db, { feedback_external_key: keyOf(c) }, comment)).data.id
    },
  )

const commentKeyOf = (c: Context<AppEnv>) => ({
  feedback_external_key: keyOf(c),
  commentId: readId(c.req.param('comment')) ?? 0,
})

export const changeComment = (c: Context<AppEnv>, opened: OpenPortal): Promise<Response> =>
  saveText(
    c,
    opened,
    () => ({ parent: null, changed: commentKeyOf(c).commentId }),
    async (text) => (await modifyPortalComment(opened.db, commentKeyOf(c), { text })).data.id,
  )

export async function removeComment(c: Context<AppEnv>, opened: OpenPortal): Promise<Response> {
  const path = ideaPathOf(opened.base, keyOf(c))
  if (opened.isVisitor) return redirectToSignIn(c, opened, path)
  await removePortalComment(opened.db, commentKeyOf(c))
  return redirectToPage(c, `${path}#comments`)
}
