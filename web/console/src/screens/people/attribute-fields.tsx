import { Icon } from '../../parts/icon'
import type { AttributeValue } from './requests'
import { texts } from './texts/texts'

export interface AttributeRow {
  id: number
  name: string
  value: string
}

let rowCount = 0
export const createRow = (name = '', value = ''): AttributeRow => ({ id: ++rowCount, name, value })

export const toRows = (attributes: Readonly<Record<string, AttributeValue>>): AttributeRow[] =>
  Object.entries(attributes).map(([name, value]) => createRow(name, String(value)))

/** A number stays a number, and true or false stay so. */
export function toAttributeValue(text: string, before: AttributeValue | null | undefined): AttributeValue {
  if (before !== undefined && String(before) === text) return before ?? text
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  return typeof before === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

interface AttributeFieldsProps {
  rows: readonly AttributeRow[]
  onChange: (rows: readonly AttributeRow[]) => void
}

const ADD = 'add-attribute'
const focusLater = (id: string) => requestAnimationFrame(() => document.getElementById(id)?.focus())
const idOf = ({ id }: AttributeRow) => `attribute-${id}`

export function AttributeFields({ rows, onChange }: AttributeFieldsProps) {
  const add = () => {
    const row = createRow()
    onChange([...rows, row])
    focusLater(idOf(row))
  }
  const remove = (gone: AttributeRow) => {
    onChange(rows.filter((row) => row !== gone))
    focusLater(ADD)
  }
  const set = (changed: AttributeRow, part: Partial<AttributeRow>) =>
    onChange(rows.map((row) => (row === changed ? { ...row, ...part } : row)))
  return (
    <fieldset class="stack tight">
      <legend class="label">{texts.attributes}</legend>
      {rows.map((row, n) => (
        <div key={row.id} class="attribute-row" role="group" aria-label={texts.attribute(n + 1)}>
          <input
            class="input"
            id={idOf(row)}
            aria-label={texts.attributeName}
            placeholder={texts.attributeName}
            maxLength={100}
            autocomplete="off"
            value={row.name}
            onInput={({ currentTarget }) => set(row, { name: currentTarget.value })}
          />
          <input
            class="input"
            aria-label={texts.attributeValue}
            placeholder={texts.attributeValue}
            maxLength={1_000}
            autocomplete="off"
            value={row.value}
            onInput={({ currentTarget }) => set(row, { value: currentTarget.value })}
          />
          <button
            class="btn ghost icon"
            type="button"
            aria-label={texts.removeAttribute(n + 1)}
            onClick={() => remove(row)}
          >
            <Icon name="x" />
          </button>
        </div>
      ))}
      <button class="btn small ghost" type="button" id={ADD} onClick={add}>
        <Icon name="plus" />
        {texts.addAttribute}
      </button>
    </fieldset>
  )
}
