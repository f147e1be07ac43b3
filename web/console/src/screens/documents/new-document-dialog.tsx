import { useState } from 'preact/hooks'
import { FormDialog } from '../../parts/form-dialog'
import { readAgain, sendNewDocument, sendTemplateUse } from './requests'
import { useTemplateList, type Variable } from './template-requests'
import { texts } from './texts/texts'

interface NewDocumentDialogProps {
  product: string
  /** The template that the document begins with. */
  template?: number | undefined
  /** `isBlank`: the document has no text yet. */
  onCreate: (key: string, isBlank: boolean) => void
  onClose: () => void
}

const MAX_VALUE = 10_000
const fieldOf = ({ key }: Variable) => `variable-${key}`

/** A document without text, or with the text of a template. An empty field takes the default of the variable. */
export function NewDocumentDialog({ product, template, onCreate, onClose }: NewDocumentDialogProps) {
  const { data: templates = [] } = useTemplateList()
  const [id, choose] = useState(template)
  const chosen = templates.find((one) => one.id === id)
  async function create(form: FormData): Promise<void> {
    const title = String(form.get('title')).trim()
    const values = chosen?.variables
      .map((variable) => [variable.key, String(form.get(fieldOf(variable)) ?? '')] as const)
      .filter(([, value]) => value !== '')
    const key = chosen
      ? await sendTemplateUse(chosen.id, { product, title, variables: Object.fromEntries(values ?? []) })
      : await sendNewDocument(product, title)
    void readAgain()
    onCreate(key, !chosen)
  }
  return (
    <FormDialog
      title={texts.create}
      action={texts.createDocument}
      failed={texts.notCreated}
      onSubmit={create}
      onClose={onClose}
    >
      <label class="field">
        <span class="label">{texts.fields.title}</span>
        <input class="input" name="title" required pattern=".*\S.*" maxLength={500} autofocus />
      </label>
      <label class="field">
        <span class="label">{texts.template}</span>
        <select
          class="select"
          value={String(id ?? '')}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value) || undefined)}
        >
          <option value="">{texts.blank}</option>
          {templates.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {one.title}
            </option>
          ))}
        </select>
      </label>
      {chosen?.variables.map((variable) => (
        <label key={`${chosen.id} ${variable.key}`} class="field">
          <span class="label">{variable.label}</span>
          <input
            class="input"
            name={fieldOf(variable)}
            required={variable.default === null}
            maxLength={MAX_VALUE}
            placeholder={variable.default ?? ''}
          />
        </label>
      ))}
    </FormDialog>
  )
}
