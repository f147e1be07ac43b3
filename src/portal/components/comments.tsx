import { Avatar } from './avatar'
import { type Frame, pathOf, withQuery } from './frame'
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
  order: 'newest' | 'oldest'
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

export function Comments({ frame, path, comments, count, order, next }: CommentsProps) {
  const { texts } = frame
  return (
    <section class="stack" aria-labelledby="comments">
      <div class="row">
        <h2 id="comments" class="h3">
          {texts.idea.comments(count)}
        </h2>
        {count > 1 ? (
          <div class="segmented push" role="group" aria-label={texts.idea.sortComments}>
            {(['newest', 'oldest'] as const).map((one) => (
              <a
                href={withQuery(path, { comments: one === 'newest' ? '' : one })}
                aria-current={one === order ? 'true' : undefined}
              >
                {texts.idea[one]}
              </a>
            ))}
          </div>
        ) : (
          ''
        )}
      </div>
      {frame.visitor ? (
        <CommentForm frame={frame} path={path} />
      ) : (
        <p>
          <a class="btn" href={pathOf(frame, `/sign-in?${new URLSearchParams({ return: path })}`)}>
            {texts.idea.signInToComment}
          </a>
        </p>
      )}
      {comments.length ? (
        <ul class="thread">
          {comments.map((comment) => (
            <Comment frame={frame} path={path} comment={comment} depth={1} />
          ))}
        </ul>
      ) : (
        <p class="muted">{texts.idea.noComments}</p>
      )}
      {next ? (
        <p class="pager">
          <a class="btn" href={withQuery(path, { comments: order === 'newest' ? '' : order, cursor: next })}>
            {texts.idea.moreComments}
          </a>
        </p>
      ) : (
        ''
      )}
    </section>
  )
}
