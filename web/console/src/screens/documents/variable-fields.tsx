import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import type { Variable } from './template-requests'
import { texts } from './texts/texts'

interface Row extends Variable {
  id: number
  /** Whether a document needs a value. */
  isRequired: boolean
}

const PLACEHOLDER = /\{\{\s*([A-Za-z]\w{0,63})\s*\}\}/g

/** The variables as the form names them. */
export const readVariables = (form: FormData): Variable[] => {
  const [labels, defaults] = [form.getAll('label').map(String), form.getAll('default').map(String)]
  return form.getAll('key').map((key, n) => ({
    ...{ key: String(key).trim(), label: labels[n]?.trim() || String(key).trim() },
    default: form.has(`required-${n}`) ? null : (defaults[n] ?? ''),
  }))
}

interface VariableFieldsProps {
  variables: readonly Variable[]
  /** The text, which may name variables that have no row yet. */
  content: string
}

/** A row for each `{{key}}` of the text. */
export function VariableFields({ variables, content }: VariableFieldsProps) {
  const count = useRef(variables.length)
  const [rows, setRows] = useState<readonly Row[]>(
    variables.map((variable, id) => ({ ...variable, id, isRequired: variable.default === null })),
  )
  const set = (id: number, change: Partial<Row>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...change } : row)))
  const add = (key: string) =>
    setRows([...rows, { id: count.current++, key, label: key, default: '', isRequired: true }])
  const missing = [...new Set(Array.from(content.matchAll(PLACEHOLDER), ([, key = '']) => key))].filter(
    (key) => !rows.some((row) => row.key === key),
  )
  return (
    <fieldset class="stack tight">
      <legend class="label">{texts.variables}</legend>
      {rows.map((row, n) => (
        <div key={row.id} class="row wrap variable">
          <input
            class="input small"
            name="key"
            required
            pattern="[A-Za-z]\w{0,63}"
            aria-label={texts.variableKey(n + 1)}
            placeholder={texts.variableKeyHint}
            value={row.key}
            onInput={({ currentTarget }) => set(row.id, { key: currentTarget.value })}
          />
          <input
            class="input small"
            name="label"
            maxLength={200}
            aria-label={texts.variableLabel(n + 1)}
            placeholder={texts.variableLabelHint}
            value={row.label}
            onInput={({ currentTarget }) => set(row.id, { label: currentTarget.value })}
          />
          <input
            class="input small"
            name="default"
            maxLength={10_000}
            readOnly={row.isRequired}
            aria-label={texts.variableDefault(n + 1)}
            placeholder={texts.variableDefaultHint}
            value={row.isRequired ? '' : (row.default ?? '')}
            onInput={({ currentTarget }) => set(row.id, { default: currentTarget.value })}
          />
          <label class="check sm">
            <input
              type="checkbox"
              name={`required-${n}`}
              checked={row.isRequired}
              onChange={({ currentTarget }) => set(row.id, { isRequired: currentTarget.checked })}
            />
            {texts.needsValue}
          </label>
          <button
            class="btn ghost icon small"
            type="button"
            aria-label={texts.removeVariable(row.key)}
            onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
      <div class="row wrap">
        {missing.map((key) => (
          <button key={key} class="btn small" type="button" onClick={() => add(key)}>
            <Icon name="plus" />
            {texts.addVariable(key)}
          </button>
        ))}
        {!rows.length && !missing.length && <p class="sm muted">{texts.noVariables}</p>}
      </div>
    </fieldset>
  )
}
