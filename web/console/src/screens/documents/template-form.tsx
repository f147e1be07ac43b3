import { GroundworkError } from 'groundwork-client'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Versioned } from '../../api/change'
import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { HtmlField } from '../../parts/html-field'
import { Prose } from '../../parts/prose'
import { texts as shellTexts } from '../../texts/texts'
import { DETAIL_TITLE } from './place'
import type { Template, TemplateFields } from './template-requests'
import { texts } from './texts/texts'
import { readVariables, VariableFields } from './variable-fields'

interface TemplateFormProps {
  /** The template as the service knows it now; absent for a new template. */
  current?: Versioned<Template>
  /** Categories of other templates, to choose from. */
  categories: readonly string[]
  /** Without `etag` the change wins over changes of others. */
  onSave: (fields: TemplateFields, etag: string | undefined) => Promise<void>
  onClose: () => void
}

const CHANGED_STATUS = 412

/** The template with its variables. Closes when the service has stored it. */
export function TemplateForm({ current, categories, onSave, onClose }: TemplateFormProps) {
  const [base] = useState(current)
  const template = base?.record
  const [content, setContent] = useState(template?.content ?? '')
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const form = useRef<HTMLFormElement>(null)
  async function save(etag: string | undefined): Promise<void> {
    const given = new FormData(form.current ?? undefined)
    const category = String(given.get('category')).trim()
    setSending(true)
    setError(undefined)
    try {
      const fields = { title: String(given.get('title')).trim(), category: category || null }
      await onSave({ ...fields, content, variables: readVariables(given) }, etag)
      onClose()
    } catch (cause) {
      setError(cause)
      setSending(false)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void save(base?.etag)
  }
  const isOvertaken = error instanceof GroundworkError && error.status === CHANGED_STATUS
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <form class="wide stack" aria-labelledby={DETAIL_TITLE} onSubmit={submit} onKeyDown={leave} ref={form}>
      <h2 class="h3" id={DETAIL_TITLE} tabIndex={-1}>
        {template ? texts.editTemplate : texts.newTemplate}
      </h2>
      {isOvertaken && current && (
        <Overtaken theirs={current.record} onKeepMine={() => void save(undefined)} onTakeTheirs={onClose} />
      )}
      {error !== undefined && !isOvertaken && <Failure title={texts.templateNotSaved} error={error} />}
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

interface OvertakenProps {
  theirs: Template
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Somebody else has changed the template. What the person typed stays until the choice. */
function Overtaken({ theirs, onKeepMine, onTakeTheirs }: OvertakenProps) {
  const [isComparing, compare] = useState(false)
  return (
    <Banner
      tone="amber"
      icon="warn"
      title={texts.templateOvertaken}
      isAlert
      action={
        <div class="row wrap">
          <button class="btn small" type="button" aria-expanded={isComparing} onClick={() => compare(!isComparing)}>
            {shellTexts.conflict.compare}
          </button>
          <button class="btn small ghost" type="button" onClick={onKeepMine}>
            {shellTexts.conflict.keepMine}
          </button>
          <button class="btn small ghost" type="button" onClick={onTakeTheirs}>
            {shellTexts.conflict.takeTheirs()}
          </button>
        </div>
      }
    >
      <p>{shellTexts.conflict.hint}</p>
      {isComparing && (
        <>
          <p class="b">{theirs.title}</p>
          <Prose html={theirs.content} />
        </>
      )}
    </Banner>
  )
}
