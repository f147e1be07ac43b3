import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { HtmlField } from '../../parts/html-field'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE } from './place'
import type { Template, TemplateFields } from './template-requests'
import { texts } from './texts/texts'
import { readVariables, VariableFields } from './variable-fields'

interface TemplateFormProps {
  /** Absent for a new template. */
  template?: Template
  /** Categories of other templates, to choose from. */
  categories: readonly string[]
  isSending: boolean
  error?: unknown
  onSubmit: (fields: TemplateFields) => void
  onClose: () => void
  /** Notices above the fields. */
  children?: ComponentChildren
}

/** The fields of a template with its variables. */
export function TemplateForm({
  template,
  categories,
  isSending,
  error,
  onSubmit,
  onClose,
  children,
}: TemplateFormProps) {
  const [content, setContent] = useState(template?.content ?? '')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const category = String(given.get('category')).trim()
    const fields = { title: String(given.get('title')).trim(), category: category || null }
    onSubmit({ ...fields, content, variables: readVariables(given) })
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <form class="wide stack" aria-labelledby={DETAIL_TITLE} onSubmit={submit} onKeyDown={leave}>
      <h2 class="h3" id={DETAIL_TITLE} tabIndex={-1}>
        {template ? texts.editTemplate : texts.newTemplate}
      </h2>
      {error !== undefined && <Failure title={texts.templateNotSaved} error={error} />}
      {children}
      <label class="field">
        <span class="label">{texts.fields.title}</span>
        <input
          class="input"
          name="title"
          required
          pattern=".*\S.*"
          maxLength={500}
          defaultValue={template?.title}
          ref={first}
        />
      </label>
      <label class="field">
        <span class="label">{texts.fields.category}</span>
        <input
          class="input"
          name="category"
          maxLength={100}
          list="template-categories"
          defaultValue={template?.category ?? ''}
        />
        <datalist id="template-categories">
          {categories.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <HtmlField
        id="template-content"
        label={texts.fields.content}
        hint={texts.templateHint}
        preview={texts.preview}
        value={content}
        onInput={setContent}
      />
      <VariableFields variables={template?.variables ?? []} content={content} />
      <div class="row">
        <button class="btn primary small" type="submit" disabled={isSending} aria-busy={isSending}>
          {texts.saveTemplate}
        </button>
        <button class="btn ghost small" type="button" onClick={onClose}>
          {shellTexts.cancel}
        </button>
      </div>
    </form>
  )
}
