import { describedBy } from './field'
import type { Frame } from './frame'
import { Icon } from './icon'

export const MAX_COMMENT_CHARACTERS = 10_000

export type CommentProblem = 'commentMissing' | 'commentLong' | 'notSaved'

/** A text that was not saved. */
export interface CommentDraft {
  /** Id of the comment that it replies to. */
  parent: number | null
  /** Id of the comment that it changes. */
  changed: number | null
  text: string
  problem: CommentProblem
}

interface CommentFormProps {
  frame: Frame
  action: string
  id: string
  label: string
  text: string
  placeholder?: string
  button: string
  hint?: string
  parent?: number
  problem: CommentProblem | undefined
}

/** A text area with a button; the problem of the last try stands at the text. */
export function CommentForm({ frame, action, id, parent, problem, ...form }: CommentFormProps) {
  return (
    <form class="stack tight" method="post" action={action}>
      {parent ? <input type="hidden" name="parent" value={String(parent)} /> : ''}
      <label class="sr" for={id}>
        {form.label}
      </label>
      <textarea
        class="textarea"
        id={id}
        name="text"
        required
        maxlength={MAX_COMMENT_CHARACTERS}
        placeholder={form.placeholder}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? describedBy(id) : undefined}
      >
        {form.text}
      </textarea>
      {problem ? (
        <p class="error" id={describedBy(id)} role="alert">
          <Icon name="triangle-alert" />
          <span>{frame.texts.idea[problem]}</span>
        </p>
      ) : (
        ''
      )}
      <div class="row wrap">
        {form.hint ? <span class="hint">{form.hint}</span> : ''}
        <button type="submit" class={form.hint ? 'btn primary push' : 'btn small'}>
          {form.button}
        </button>
      </div>
    </form>
  )
}
