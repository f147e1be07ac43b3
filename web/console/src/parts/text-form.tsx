import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts as shellTexts } from '../texts/texts'
import { HtmlField } from './html-field'

interface Text {
  title: string
  content: string
}

interface TextFormProps<R extends Text> {
  record: R
  /** Id and text of the heading. */
  id: string
  heading: string
  texts: { title: string; content: string; hint: string; preview: string; save: string }
  /** `base` is the record as it was when the person began. */
  onSave: (change: Partial<Text>, base: R) => void
  onClose: () => void
  children?: ComponentChildren
}

/** The title and the text of a record, with a preview below. Escape closes the form. */
export function TextForm<R extends Text>({ record, id, heading, texts, onSave, onClose, children }: TextFormProps<R>) {
  const [base] = useState(record)
  const [title, setTitle] = useState(record.title)
  const [content, setContent] = useState(record.content)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const save = (event: Event) => {
    event.preventDefault()
    const change: Partial<Text> = {
      ...(title.trim() !== base.title && { title: title.trim() }),
      ...(content !== base.content && { content }),
    }
    if (Object.keys(change).length) onSave(change, base)
    onClose()
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <form class="stack" aria-labelledby={id} onSubmit={save} onKeyDown={leave}>
      <h2 class="h3" id={id} tabIndex={-1}>
        {heading}
      </h2>
      <label class="field">
        <span class="label">{texts.title}</span>
        <input
          class="input"
          required
          pattern=".*\S.*"
          maxLength={500}
          value={title}
          ref={first}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </label>
      <HtmlField
        id={`${id}-content`}
        label={texts.content}
        hint={texts.hint}
        preview={texts.preview}
        value={content}
        rows={12}
        onInput={setContent}
      />
      {children}
      <div class="row">
        <button class="btn primary small" type="submit">
          {texts.save}
        </button>
        <button class="btn ghost small" type="button" onClick={onClose}>
          {shellTexts.cancel}
        </button>
      </div>
    </form>
  )
}
