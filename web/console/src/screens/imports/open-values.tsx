import { useId } from 'preact/hooks'
import { formatNumber } from '../../texts/formats'
import { texts } from '../../texts/texts'
import { describeBecame } from './became'
import { nameOfValue } from './field-name'
import { type Choices, type Decision, type ImportField, keyOfWarning, type Warning } from './mapping'
import { importTexts } from './texts/texts'

interface OpenValuesProps {
  values: readonly Warning[]
  fields: readonly ImportField[]
  choices: Choices
  /** Of a dry run with these choices; absent until there is one. */
  warnings: readonly Warning[] | undefined
  onDecide: (decisions: ReadonlyMap<string, Decision>) => void
}

/** Each value once, with a choice where the field has only some values, or else a text. */
export function OpenValues({ values, fields, choices, warnings, onDecide }: OpenValuesProps) {
  const warned = warnings && new Set(warnings.map(keyOfWarning))
  const decide = (warning: Warning, becomes: string) =>
    onDecide(new Map(choices.decisions).set(keyOfWarning(warning), { warning, becomes }))
  return (
    <section class="card" aria-labelledby="values">
      <header>
        <h2 class="h3" id="values" tabIndex={-1}>
          {texts.imports.valuesTitle}
        </h2>
        <span class="count push">{formatNumber(values.length)}</span>
      </header>
      <div class="scroll-x">
        <table class="table stack-table">
          <thead>
            <tr>
              <th scope="col">{texts.imports.value}</th>
              <th scope="col" class="n">
                {texts.imports.rowsOfValue}
              </th>
              <th scope="col">{texts.imports.becomes}</th>
              <th scope="col">{texts.imports.why}</th>
            </tr>
          </thead>
          <tbody>
            {values.map((warning) => (
              <tr key={keyOfWarning(warning)}>
                <th scope="row">
                  <span class="sm muted block">{warning.column}</span>
                  <span class="b">{warning.value}</span>
                </th>
                <td data-th={texts.imports.rowsOfValue} class="n">
                  {formatNumber(warning.rows)}
                </td>
                <td data-th={texts.imports.becomes} class="goes">
                  <Becomes
                    warning={warning}
                    values={fields.find(({ name }) => name === warning.field)?.values ?? null}
                    decided={choices.decisions.get(keyOfWarning(warning))?.becomes ?? ''}
                    isAccepted={warned && !warned.has(keyOfWarning(warning))}
                    onDecide={(becomes) => decide(warning, becomes)}
                  />
                </td>
                <td data-th={texts.imports.why} class="sm muted">
                  {warning.reason}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function describeDecision(isAccepted: boolean | undefined, became: string): string {
  if (isAccepted === undefined) return importTexts.notChecked
  return isAccepted ? importTexts.accepted : importTexts.notAccepted(became)
}

interface BecomesProps {
  warning: Warning
  values: readonly string[] | null
  decided: string
  /** Undefined until the service has read the file with the value. */
  isAccepted: boolean | undefined
  onDecide: (becomes: string) => void
}

function Becomes({ warning, values, decided, isAccepted, onDecide }: BecomesProps) {
  const label = texts.imports.becomesLabel(warning.value ?? '')
  const became = describeBecame(warning)
  const hint = useId()
  if (!values)
    return (
      <div>
        <input
          class="input"
          aria-label={label}
          aria-describedby={hint}
          value={decided}
          placeholder={importTexts.becomesHints[warning.field ?? ''] ?? importTexts.becomesHint}
          maxLength={500}
          onChange={(event) => onDecide(event.currentTarget.value)}
        />
        <span class="xs muted block" id={hint}>
          {decided === '' ? importTexts.otherwise(became) : describeDecision(isAccepted, became)}
        </span>
      </div>
    )
  return (
    <select class="select" aria-label={label} value={decided} onChange={(event) => onDecide(event.currentTarget.value)}>
      <option value="">{texts.imports.asIs(became)}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {nameOfValue(value)}
        </option>
      ))}
    </select>
  )
}
