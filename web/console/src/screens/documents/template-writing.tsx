import { useState } from 'preact/hooks'
import { findChanges, useChange, type Versioned } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'
import { TemplateForm } from './template-form'
import { changeOfTemplate, sendNewTemplate, type Template, type TemplateFields } from './template-requests'
import { texts } from './texts/texts'

interface WritingProps {
  categories: readonly string[]
  onClose: () => void
}

export function NewTemplate({ onMade, ...props }: WritingProps & { onMade: (id: number) => void }) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function create(fields: TemplateFields): Promise<void> {
    setSending(true)
    setError(undefined)
    try {
      onMade(await sendNewTemplate(fields))
      props.onClose()
    } catch (cause) {
      setError(cause)
      setSending(false)
    }
  }
  return <TemplateForm {...props} isSending={isSending} error={error} onSubmit={(fields) => void create(fields)} />
}

const showValue = (value: Template[keyof Template]): string =>
  Array.isArray(value) ? value.map(({ key }) => key).join(', ') : String(value ?? '')

/** Closes when the service has stored the change. What the person typed stays until then. */
export function EditTemplate({ current, ...props }: WritingProps & { current: Versioned<Template> }) {
  const [base] = useState(current.record)
  const { send, ...change } = changeOfTemplate(base.id)
  const { save, conflict, failure, isSaving } = useChange<Template>({
    ...{ current, ...change },
    async send(fields, etag) {
      const stored = await send(fields, etag)
      props.onClose()
      return stored
    },
  })
  const submit = (fields: TemplateFields) => {
    const changes = findChanges(fields, base)
    if (Object.keys(changes).length) save(changes, base)
    else props.onClose()
  }
  return (
    <TemplateForm
      {...props}
      template={base}
      isSending={isSaving || conflict !== undefined}
      error={failure?.error}
      onSubmit={submit}
    >
      {conflict && (
        <ConflictBanner
          conflict={{ ...conflict, takeTheirs: props.onClose }}
          name={(field) => texts.templateFields[field] ?? field}
          show={(_, value) => showValue(value)}
        />
      )}
    </TemplateForm>
  )
}
