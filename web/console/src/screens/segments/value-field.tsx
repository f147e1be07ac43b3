import { useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { choicesOf, type DraftCondition, entryOf, kindOf, type Scalar, showValue, type Value } from './rules'
import { texts } from './texts/texts'

interface ValueFieldProps {
  condition: DraftCondition
  /** Values of the attribute that some people have. */
  known: readonly string[]
  isInvalid: boolean
  onChange: (value: Value | undefined) => void
}

const toDay = (value: unknown): string => String(value ?? '').slice(0, 10)

export function ValueField({ condition, known, isInvalid, onChange }: ValueFieldProps) {
  const { id, attribute, operator, value } = condition
  const entry = entryOf(attribute, operator)
  if (entry === 'none') return <span class="val" />
  if (entry === 'list') return <ListField condition={condition} known={known} onChange={onChange} />
  if (entry === 'choice')
    return (
      <select
        class="select val"
        aria-label={texts.value}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="" />
        {Object.entries(choicesOf(attribute) ?? {}).map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    )
  const isNumber = entry === 'number'
  const isCompared = kindOf(attribute) === 'own' && ['gt', 'gte', 'lt', 'lte'].includes(operator)
  return (
    <>
      <input
        class={isNumber ? 'input val num' : 'input val'}
        type={entry === 'date' ? 'date' : isNumber ? 'number' : 'text'}
        min={operator === 'within_days' ? 1 : undefined}
        step={isNumber && operator !== 'within_days' ? 'any' : undefined}
        maxLength={1_000}
        autocomplete="off"
        list={entry === 'text' && known.length > 0 ? `known-${id}` : undefined}
        aria-label={operator === 'within_days' ? texts.days : texts.value}
        aria-invalid={isInvalid}
        placeholder={operator === 'within_days' ? texts.days : isCompared ? texts.comparedHint : undefined}
        value={entry === 'date' ? toDay(value) : String(value ?? '')}
        onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
      />
      {entry === 'text' && <KnownValues id={id} known={known} />}
    </>
  )
}

const KnownValues = ({ id, known }: { id: number; known: readonly string[] }) =>
  known.length > 0 ? (
    <datalist id={`known-${id}`}>
      {known.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  ) : null

/** Several values: Enter adds the typed value, and Backspace in the empty field removes the last. */
function ListField({ condition, known, onChange }: Omit<ValueFieldProps, 'isInvalid'>) {
  const { id, attribute, value } = condition
  const [typed, type] = useState('')
  const values: readonly Scalar[] = Array.isArray(value) ? value : []
  const choices = choicesOf(attribute)
  const add = (text: string) => {
    type('')
    const isNew = text !== '' && !values.some((one) => String(one) === text)
    if (isNew) onChange([...values, text])
  }
  const leaveOut = (gone: Scalar) => onChange(values.filter((one) => one !== gone))
  return (
    <span class="input value-list val">
      {values.map((one) => (
        <span key={String(one)} class="tag removable">
          {showValue(attribute, one)}
          <button
            type="button"
            aria-label={texts.removeValue(showValue(attribute, one))}
            onClick={(event) => {
              event.currentTarget.closest('.value-list')?.querySelector<HTMLElement>('input, select')?.focus()
              leaveOut(one)
            }}
          >
            <Icon name="x" />
          </button>
        </span>
      ))}
      {choices ? (
        <select
          class="added-value"
          aria-label={texts.addValue}
          value=""
          onChange={({ currentTarget }) => {
            add(currentTarget.value)
            currentTarget.value = ''
          }}
        >
          <option value="">{texts.addValue}</option>
          {Object.entries(choices)
            .filter(([choice]) => !values.includes(choice))
            .map(([choice, name]) => (
              <option key={choice} value={choice}>
                {name}
              </option>
            ))}
        </select>
      ) : (
        <input
          class="added-value"
          aria-label={texts.addValue}
          maxLength={1_000}
          autocomplete="off"
          inputMode={kindOf(attribute) === 'number' ? 'decimal' : undefined}
          list={known.length > 0 ? `known-${id}` : undefined}
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onBlur={() => add(typed.trim())}
          onKeyDown={(event) => {
            const last = values.at(-1)
            if (event.key === 'Backspace' && typed === '' && last !== undefined) leaveOut(last)
            if (event.key !== 'Enter') return
            event.preventDefault()
            add(typed.trim())
          }}
        />
      )}
      <KnownValues id={id} known={known} />
    </span>
  )
}
