import { useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { type Idea, MAX_TITLE } from './requests'
import { texts } from './texts/texts'
import { DETAIL_TITLE, focusDetail } from './use-list-keys'

export const EDIT_TITLE = 'idea-edit-title'

interface TitleFieldProps {
  idea: Idea
  mayChange: boolean
  /** `base` is the idea as it was when the person began. */
  onChange: (title: string, base: Idea) => void
}

export function TitleField({ idea, mayChange, onChange }: TitleFieldProps) {
  const [base, setBase] = useState<Idea>()
  const close = () => {
    setBase(undefined)
    requestAnimationFrame(focusDetail)
  }
  if (base)
    return (
      <input
        class="input title-input"
        aria-label={texts.titleField}
        maxLength={MAX_TITLE}
        defaultValue={base.title}
        ref={(field) => field?.focus()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') return close()
          if (event.key !== 'Enter') return
          event.preventDefault()
          const title = event.currentTarget.value.trim()
          if (title && title !== base.title) onChange(title, base)
          close()
        }}
      />
    )
  return (
    <div class="row top">
      <h2 id={DETAIL_TITLE} tabIndex={-1}>
        {idea.title}
      </h2>
      {mayChange && (
        <button
          class="btn ghost icon small"
          type="button"
          id={EDIT_TITLE}
          aria-label={texts.editTitle}
          onClick={() => setBase(idea)}
        >
          <Icon name="edit" />
        </button>
      )}
    </div>
  )
}
