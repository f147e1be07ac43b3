import { Avatar } from './avatar'
import { type CommentDraft, CommentForm } from './comment-form'
import { type Frame, pathOf, signInPathOf, withQuery } from './frame'
import { Prose } from './prose'
import { Time } from './time'

export interface CommentEntry {
  id: number
  /** Empty for a removed comment. */
  html: string
  author: string
  isTeam: boolean
  isOwn: boolean
  /** Plain text of an own comment; null for a comment with more than paragraphs. */
  ownText: string | null
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
  draft?: CommentDraft | null | undefined
}

type CommentProps = Pick<CommentsProps, 'frame' | 'path' | 'draft'> & { comment: CommentEntry }

function ReplyForm({ frame, path, comment, draft }: CommentProps) {
  const { idea } = frame.texts
  const label = idea.replyTo(comment.author)
  const own = draft?.parent === comment.id ? draft : undefined
  return (
    <details class="reply" open={own !== undefined}>
      <summary class="btn ghost small" aria-label={label}>
        {idea.reply}
      </summary>
      <CommentForm
        frame={frame}
        {...{ action: `${path}/comments`, id: `reply-${comment.id}`, label, placeholder: label }}
        {...{ button: idea.reply, parent: comment.id, text: own?.text ?? '', problem: own?.problem }}
      />
    </details>
  )
}

function OwnForms({ frame, path, comment, draft }: CommentProps) {
  const { idea } = frame.texts
  const action = `${path}/comments/${comment.id}`
  const own = draft?.changed === comment.id ? draft : undefined
  return (
    <details class="reply" open={own !== undefined}>
      <summary class="btn ghost small">{idea.edit}</summary>
      {comment.ownText === null ? (
        ''
      ) : (
        <CommentForm
          frame={frame}
          {...{ action, id: `change-${comment.id}`, label: idea.yourComment, button: idea.save }}
          {...{ text: own?.text ?? comment.ownText, problem: own?.problem }}
        />
      )}
      <form method="post" action={`${action}/remove`}>
        <button type="submit" class="btn small danger">
          {idea.remove}
        </button>
      </form>
    </details>
  )
}

function Comment({ depth, ...props }: CommentProps & { depth: number }) {
  const { frame, comment } = props
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
            {frame.visitor ? <ReplyForm {...props} /> : ''}
            {frame.visitor && comment.isOwn ? <OwnForms {...props} /> : ''}
          </>
        ) : (
          <p class="faint">{texts.idea.removed}</p>
        )}
      </div>
      {comment.replies.length ? (
        <ul class={depth > 2 ? 'thread flat' : 'thread'}>
          {comment.replies.map((reply) => (
            <Comment {...props} comment={reply} depth={depth + 1} />
          ))}
        </ul>
      ) : (
        ''
      )}
    </li>
  )
}

function NewComment({ frame, path, draft }: Pick<CommentsProps, 'frame' | 'path' | 'draft'>) {
  const { idea } = frame.texts
  const own = draft && draft.parent === null && draft.changed === null ? draft : undefined
  const isUnnamed = frame.visitor?.firstName === '' && frame.visitor.lastName === ''
  return (
    <>
      <CommentForm
        frame={frame}
        {...{
          action: `${path}/comments`,
          id: 'comment',
          label: idea.yourComment,
          placeholder: idea.commentPlaceholder,
        }}
        {...{ button: idea.comment, hint: idea.commentHint, text: own?.text ?? '', problem: own?.problem }}
      />
      {isUnnamed ? (
        <p class="sm">
          <a href={pathOf(frame, '/profile')}>{idea.unnamed}</a>
        </p>
      ) : (
        ''
      )}
    </>
  )
}

export function Comments({ frame, path, comments, count, next, draft }: CommentsProps) {
  const { texts } = frame
  return (
    <section class="stack" aria-labelledby="comments">
      <h2 id="comments" class="h3">
        {texts.idea.comments(count)}
      </h2>
      {comments.length ? (
        <ul class="thread">
          {comments.map((comment) => (
            <Comment {...{ frame, path, comment, draft }} depth={1} />
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
      {frame.visitor ? (
        <NewComment {...{ frame, path, draft }} />
      ) : (
        <p>
          <a class="btn" href={signInPathOf(frame, path)}>
            {texts.idea.signInToComment}
          </a>
        </p>
      )}
    </section>
  )
}
