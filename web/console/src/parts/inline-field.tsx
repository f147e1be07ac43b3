import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts/texts'
import { HtmlField } from './html-field'
import { Icon } from './icon'

interface InlineFieldProps<R> {
  /** Id of the button that begins the edit. */
  id: string
  name: string
  record: R
  /** The value as text. */
  value: string
  kind?: 'line' | 'decimal' | 'text' | 'html'
  hint?: string
  maxLength: number
  mayChange: boolean
  /** `base` is the record as it was when the person began. */
  onSave: (text: string, base: R) => void
  children: ComponentChildren
}

/** A value with its name, which a form replaces while the person edits. */
export function InlineField<R>(props: InlineFieldProps<R>) {
  const { id, name, record, mayChange, onSave, children } = props
  const [base, setBase] = useState<{ record: R; value: string }>()
  const close = () => {
    setBase(undefined)
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  if (base)
    return (
      <InlineForm
        {...props}
        value={base.value}
        onClose={close}
        onSave={(text) => {
          if (text !== base.value) onSave(text, base.record)
          close()
        }}
      />
    )
  return (
    <section class="stack tight" aria-labelledby={`${id}-name`}>
      <div class="row">
        <h3 class="label" id={`${id}-name`}>
          {name}
        </h3>
        {mayChange && (
          <button
            class="btn ghost icon small"
            type="button"
            id={id}
            aria-label={texts.editField(name)}
            onClick={() => setBase({ record, value: props.value })}
          >
            <Icon name="pencil" />
          </button>
        )}
      </div>
      {children}
    </section>
  )
}

interface InlineFormProps {
  id: string
  name: string
  value: string
  kind?: 'line' | 'decimal' | 'text' | 'html'
  hint?: string
  maxLength: number
  onSave: (text: string) => void
  onClose: () => void
}

/** `Escape` leaves the form, `Enter` saves a line, and `Ctrl Enter` a text. */
function InlineForm({ id, name, value, kind = 'text', hint, maxLength, onSave, onClose }: InlineFormProps) {
  const [text, setText] = useState(value)
  useEffect(() => document.getElementById(`${id}-field`)?.focus(), [])
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(text.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      {kind === 'html' ? (
        <HtmlField
          id={`${id}-field`}
          label={name}
          hint={hint ?? ''}
          preview={texts.preview}
          value={text}
          rows={6}
          onInput={setText}
        />
      ) : (
        <PlainField {...{ id, name, kind, maxLength, text, hint }} onInput={setText} />
      )}
      <div class="row">
        <button class="btn primary small" type="submit">
          {texts.save}
        </button>
        <button class="btn ghost small" type="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

interface PlainFieldProps {
  id: string
  name: string
  kind: 'line' | 'decimal' | 'text'
  maxLength: number
  text: string
  hint: string | undefined
  onInput: (text: string) => void
}

function PlainField({ id, name, kind, maxLength, text, hint, onInput }: PlainFieldProps) {
  const field = {
    ...{ id: `${id}-field`, value: text, maxLength },
    ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }),
  }
  return (
    <div class="field">
      <label for={field.id}>{name}</label>
      {kind === 'text' ? (
        <textarea class="textarea" {...field} rows={4} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      ) : (
        <input
          class="input"
          {...field}
          inputMode={kind === 'decimal' ? 'decimal' : 'text'}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
