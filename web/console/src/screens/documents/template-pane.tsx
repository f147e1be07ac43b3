import type { Versioned } from '../../api/change'
import { Icon } from '../../parts/icon'
import { Loaded } from '../../parts/loaded'
import { Prose } from '../../parts/prose'
import { BASE } from '../../state/place'
import { DETAIL_TITLE, TEMPLATE_PATH } from './place'
import { type Template, useTemplate } from './template-requests'
import { EditTemplate } from './template-writing'
import { texts } from './texts/texts'

interface TemplatePaneProps {
  id: number
  may: boolean
  categories: readonly string[]
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  onRemove: () => void
  /** Absent without a product. */
  onUse: (() => void) | undefined
}

export const TemplatePane = (props: TemplatePaneProps) => (
  <Loaded query={useTemplate(props.id)} failed={texts.templateLoadFailed}>
    {(current) => <Detail {...props} current={current} />}
  </Loaded>
)

type DetailProps = TemplatePaneProps & { current: Versioned<Template> }

function Detail({ may, categories, isEditing, onEdit, onRemove, onUse, current }: DetailProps) {
  const template = current.record
  if (isEditing) return <EditTemplate current={current} categories={categories} onClose={() => onEdit(false)} />
  return (
    <div class="wide stack loose">
      <header class="row wrap">
        <a class="btn ghost icon small back" href={BASE + TEMPLATE_PATH} aria-label={texts.backToList}>
          <Icon name="back" />
        </a>
        {template.category && <span class="tag">{template.category}</span>}
        <div class="row wrap push">
          {may && (
            <>
              <button class="btn ghost small" type="button" onClick={() => onEdit(true)}>
                <Icon name="pencil" />
                {texts.edit}
              </button>
              <button class="btn ghost small danger" type="button" onClick={onRemove}>
                <Icon name="remove" />
                {texts.remove}
              </button>
            </>
          )}
          {may && onUse && (
            <button class="btn small primary" type="button" onClick={onUse}>
              <Icon name="file" />
              {texts.useTemplate}
            </button>
          )}
        </div>
      </header>
      <article class="stack" aria-labelledby={DETAIL_TITLE}>
        <h2 id={DETAIL_TITLE} tabIndex={-1}>
          {template.title}
        </h2>
        {template.content ? <Prose html={template.content} /> : <p class="muted">{texts.noText}</p>}
      </article>
      <Variables template={template} />
    </div>
  )
}

const Variables = ({ template: { variables } }: { template: Template }) => (
  <section class="stack tight" aria-labelledby="template-variables">
    <h3 id="template-variables">{texts.variables}</h3>
    {!variables.length && <p class="sm muted">{texts.noVariables}</p>}
    {variables.length > 0 && (
      <table class="table stack-table">
        <thead>
          <tr>
            <th scope="col">{texts.variableKeyHint}</th>
            <th scope="col">{texts.variableLabelHint}</th>
            <th scope="col">{texts.variableDefaultHint}</th>
          </tr>
        </thead>
        <tbody>
          {variables.map((variable) => (
            <tr key={variable.key}>
              <td data-th={texts.variableKeyHint}>
                <code>{variable.key}</code>
              </td>
              <td data-th={texts.variableLabelHint}>{variable.label}</td>
              <td data-th={texts.variableDefaultHint}>
                {variable.default === null ? <span class="muted">{texts.needsValue}</span> : variable.default}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)
