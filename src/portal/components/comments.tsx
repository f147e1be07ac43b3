import { Avatar } from './avatar'
import { type Frame, signInPathOf, withQuery } from './frame'
import { Prose } from './prose'
import { Time } from './time'

export interface CommentEntry {
  id: number
  /** Empty for a removed comment. */
  html: string
  author: string
  isTeam: boolean
  createdAt: string
  replies: readonly CommentEntry[]
}

interface CommentsProps {
  frame: Frame
  /** Path of the idea. */
  path: string
  comments: readonly CommentEntry[]
  count: number
  next: string | null
}

const MAX_COMMENT_CHARACTERS = 10_000

function CommentForm({ frame, path, parent }: { frame: Frame; path: string; parent?: CommentEntry }) {
  const { idea } = frame.texts
  const id = parent ? `reply-${parent.id}` : 'comment'
  const label = parent ? idea.replyTo(parent.author) : idea.yourComment
  return (
    <form class="stack tight" method="post" action={`${path}/comments`}>
      {parent ? <input type="hidden" name="parent" value={String(parent.id)} /> : ''}
      <label class="sr" for={id}>
        {label}
      </label>
      <textarea
        class="textarea"
        id={id}
        name="text"
        required
        maxlength={MAX_COMMENT_CHARACTERS}
        placeholder={parent ? label : idea.commentPlaceholder}
      />
      <div class="row wrap">
        {parent ? '' : <span class="hint">{idea.commentHint}</span>}
        <button type="submit" class={parent ? 'btn small' : 'btn primary push'}>
          {parent ? idea.reply : idea.comment}
        </button>
      </div>
    </form>
  )
}

function Comment({
  frame,
  path,
  comment,
  depth,
}: {
  frame: Frame
  path: string
  comment: CommentEntry
  depth: number
}) {
  const { texts } = frame
  return (
    <li class="comment" id={`comment-${comment.id}`}>
      <Avatar name={comment.author || '–'} isLarge />
      <div>
        {comment.html ? (
          <>
            <div class="row wrap sm">
              <strong>{comment.author}</strong>
              {comment.isTeam ? <span class="tag">{texts.idea.team}</span> : ''}
              <span class="faint">
                <Time moment={comment.createdAt}>{frame.formats.age(comment.createdAt)}</Time>
              </span>
            </div>
            <Prose html={comment.html} origin={frame.origin} level={3} />
            {frame.visitor ? (
              <details class="reply">
                <summary class="btn ghost small" aria-label={texts.idea.replyTo(comment.author)}>
                  {texts.idea.reply}
                </summary>
                <CommentForm frame={frame} path={path} parent={comment} />
              </details>
            ) : (
              ''
            )}
          </>
        ) : (
          <p class="faint">{texts.idea.removed}</p>
        )}
      </div>
      {comment.replies.length ? (
        <ul class={depth > 2 ? 'thread flat' : 'thread'}>
          {comment.replies.map((reply) => (
            <Comment frame={frame} path={path} comment={reply} depth={depth + 1} />
          ))}
        </ul>
      ) : (
        ''
      )}
    </li>
  )
}

export function Comments({ frame, path, comments, count, next }: CommentsProps) {
  const { texts } = frame
  return (
    <section class="stack" aria-labelledby="comments">
      <h2 id="comments" class="h3">
        {texts.idea.comments(count)}
      </h2>
      {comments.length ? (
        <ul class="thread">
          {comments.map((comment) => (
            <Comment frame={frame} path={path} comment={comment} depth={1} />
          ))}
        </ul>
      ) : (
        <p class="muted">{frame.visitor ? texts.idea.firstComment : texts.idea.noComments}</p>
      )}
      {next ? (
        <p class="pager">
          <a class="btn" href={`${withQuery(path, { cursor: next })}#comments`}>
            {texts.idea.moreComments}
          </a>
        </p>
      ) : (
        ''
      )}
      {frame.visitor ? <CommentForm frame={frame} path={path} /> : ''}
      {frame.signInPath && !frame.visitor ? (
        <p>
          <a class="btn" href={signInPathOf(frame, path)}>
            {texts.idea.signInToComment}
          </a>
        </p>
      ) : (
        ''
      )}
    </section>
  )
}
