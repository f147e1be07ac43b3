import type { CommentEntry } from '../components/comments'

interface ListedComment {
  id: number
  parentId: number | null
  text: string
  author: string | null
  isTeam: boolean
  createdAt: string
}

/** Replies below their comments. A reply whose comment is on another page stands alone. */
export function buildCommentTree(comments: readonly ListedComment[], anonymous: string): CommentEntry[] {
  const roots: CommentEntry[] = []
  const replies = new Map<number, CommentEntry[]>()
  for (const { id, parentId, text, author, isTeam, createdAt } of comments) {
    const below: CommentEntry[] = []
    replies.set(id, below)
    const entry = { id, html: text, author: author ?? anonymous, isTeam, createdAt, replies: below }
    const siblings = (parentId === null ? undefined : replies.get(parentId)) ?? roots
    siblings.push(entry)
  }
  return roots
}
