import { fromParagraphs } from '../../text/html/paragraphs'
import type { CommentEntry } from '../components/comments'

interface ListedComment {
  id: number
  parentId: number | null
  text: string
  author: string | null
  isTeam: boolean
  own: boolean
  createdAt: string
}

/** Replies below their comments. A reply whose comment is on another page stands alone. */
export function buildCommentTree(comments: readonly ListedComment[], anonymous: string): CommentEntry[] {
  const roots: CommentEntry[] = []
  const repliesById = new Map<number, CommentEntry[]>()
  for (const { id, parentId, text, author, isTeam, own, createdAt } of comments) {
    const replies: CommentEntry[] = []
    repliesById.set(id, replies)
    const ownText = own ? fromParagraphs(text) : null
    const entry = { id, html: text, author: author ?? anonymous, isTeam, isOwn: own, ownText, createdAt, replies }
    const siblings = (parentId === null ? undefined : repliesById.get(parentId)) ?? roots
    siblings.push(entry)
  }
  return roots
}
