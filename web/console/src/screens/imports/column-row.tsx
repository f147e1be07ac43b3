import { Icon } from '../../parts/icon'
import { texts } from '../../texts/texts'
import { nameOfField } from './field-name'
import { type ImportField, type PreviewedColumn, type Target, targetOf } from './mapping'

interface ColumnRowProps {
  column: PreviewedColumn
  first: string | null
  fields: readonly ImportField[]
  openValues: number
  hasAttributes: boolean
  /** Whether the person has chosen the target. */
  isChosen: boolean
  onChoose: (target: Target) => void
}

const FIELD = 'field:'

const toOption = (target: Target): string => (typeof target === 'object' ? FIELD + target.field : target)

const toTarget = (option: string): Target =>
  option.startsWith(FIELD) ? { field: option.slice(FIELD.length) } : option === 'ignored' ? 'ignored' : 'attribute'

export function ColumnRow({ column, first, fields, openValues, hasAttributes, isChosen, onChoose }: ColumnRowProps) {
  const target = targetOf(column)
  const field = typeof target === 'object' ? fields.find(({ name }) => name === target.field) : undefined
  return (
    <tr>
      <th scope="row">
        <span class="b">{column.column}</span>
      </th>
      <td data-th={texts.imports.first}>{first && <code class="truncate">{first}</code>}</td>
      <td data-th={texts.imports.goesTo} class="goes">
        <select
          class="select"
          aria-label={texts.imports.fieldFor(column.column)}
          value={toOption(target)}
          onChange={(event) => onChoose(toTarget(event.currentTarget.value))}
        >
          {hasAttributes && <option value="attribute">{texts.imports.attribute}</option>}
          <option value="ignored">{texts.imports.ignore}</option>
          <optgroup label={texts.imports.fieldGroup}>
            {fields.map(({ name }) => (
              <option key={name} value={FIELD + name}>
                {nameOfField(name)}
              </option>
            ))}
          </optgroup>
        </select>
        {field && nameOfField(field.name) !== field.name && <code class="field-code">{field.name}</code>}
      </td>
      <td data-th={texts.imports.note} class="sm">
        {openValues > 0 ? (
          <button type="button" class="btn ghost small warn-link" onClick={goToValues}>
            <Icon name="warn" />
            {texts.imports.toDecide(openValues)}
          </button>
        ) : (
          <span class="muted">{describe(target, field, isChosen)}</span>
        )}
      </td>
    </tr>
  )
}

function goToValues(): void {
  const heading = document.getElementById('values')
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus()
}

function describe(target: Target, field: ImportField | undefined, isChosen: boolean): string {
  if (isChosen) return texts.imports.changed
  if (field?.required) return texts.imports.required
  if (target === 'attribute') return texts.imports.keptAsAttribute
  return target === 'ignored' ? texts.imports.leftOut : texts.imports.byName
}
