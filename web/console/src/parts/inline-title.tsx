import { useState } from 'preact/hooks'
import { texts } from '../texts/texts'
import { Icon } from './icon'

interface InlineTitleProps<R> {
  /** Id of the heading, which gets the focus when the detail opens. */
  id: string
  /** What the title is called. */
  name: string
  record: R
  value: string
  maxLength: number
  mayChange: boolean
  /** `base` is the record as it was when the person began. */
  onSave: (title: string, base: R) => void
}

/** Id of the button that begins the edit. */
export const idOfEdit = (id: string): string => `${id}-edit`

/** The heading of a detail, which changes in place. `Enter` saves, `Escape` leaves the field. */
export function InlineTitle<R>({ id, name, record, value, maxLength, mayChange, onSave }: InlineTitleProps<R>) {
  const [base, setBase] = useState<{ record: R; value: string }>()
  const close = () => {
    setBase(undefined)
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  if (base)
    return (
      <input
        class="input title-input"
        aria-label={name}
        maxLength={maxLength}
        defaultValue={base.value}
        ref={(field) => field?.focus()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          const title = event.currentTarget.value.trim()
          if (event.key === 'Enter' && title && title !== base.value) onSave(title, base.record)
          close()
        }}
      />
    )
  return (
    <div class="row top grow">
      <h2 id={id} tabIndex={-1}>
        {value}
      </h2>
      {mayChange && (
        <button
          class="btn ghost icon small"
          type="button"
          id={idOfEdit(id)}
          aria-label={texts.editField(name)}
          onClick={() => setBase({ record, value })}
        >
          <Icon name="edit" />
        </button>
      )}
    </div>
  )
}
