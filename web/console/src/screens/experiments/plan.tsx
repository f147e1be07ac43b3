import { InlineField } from '../../parts/inline-field'
import { formatNumber } from '../../texts/formats'
import { Choice } from '../personas/properties'
import type { EditProps } from './heading'
import type { Experiment } from './requests'
import { DECISIONS, RESULTS } from './results'
import { texts } from './texts/texts'

const MAX_TEXT = 10_000
const MAX_DECIMAL = 30

/** What the experiment tests, and how. */
export const Plan = (props: EditProps) => (
  <>
    <TextField {...props} field="hypothesis" />
    <TextField {...props} field="method" />
    <TextField {...props} field="successCriteria" />
    <DecimalField {...props} field="targetValue" />
  </>
)

/** What the experiment has shown. A draft has shown nothing yet. */
export function Findings(props: EditProps) {
  const { experiment, may, save } = props
  const { status, result, decision } = experiment
  if (status === 'draft') return null
  return (
    <>
      {status === 'stopped' && (
        <dl class="dl properties">
          <Choice
            id="experiment-result"
            name={texts.fields.result}
            value={result ?? ''}
            options={RESULTS.map((value) => ({ value, name: texts.results[value] }))}
            may={may}
            onChoose={(value) => save({ result: value as Experiment['result'] })}
          />
          <Choice
            id="experiment-decision"
            name={texts.fields.decision}
            value={decision ?? ''}
            none={texts.noDecision}
            options={DECISIONS.map((value) => ({ value, name: texts.decisions[value] }))}
            may={may}
            onChoose={(value) => save({ decision: (value || null) as Experiment['decision'] })}
          />
        </dl>
      )}
      <DecimalField {...props} field="actualValue" />
      <TextField {...props} field="learnings" />
    </>
  )
}

type TextName = 'hypothesis' | 'method' | 'successCriteria' | 'learnings'

const TextField = ({ experiment, may, save, field }: EditProps & { field: TextName }) => (
  <InlineField<Experiment>
    id={`experiment-${field}`}
    name={texts.fields[field]}
    record={experiment}
    value={experiment[field] ?? ''}
    maxLength={MAX_TEXT}
    mayChange={may}
    onSave={(text, base) => save({ [field]: text || null }, base)}
  >
    {experiment[field] ? <p class="plan-lines">{experiment[field]}</p> : <p class="muted">—</p>}
  </InlineField>
)

const DecimalField = ({ experiment, may, save, field }: EditProps & { field: 'targetValue' | 'actualValue' }) => (
  <InlineField<Experiment>
    id={`experiment-${field}`}
    name={texts.fields[field]}
    record={experiment}
    value={experiment[field] ?? ''}
    kind="decimal"
    maxLength={MAX_DECIMAL}
    mayChange={may}
    onSave={(text, base) => save({ [field]: text.replace(',', '.') || null }, base)}
  >
    <p class="num">
      {experiment[field] === null ? <span class="muted">—</span> : formatNumber(Number(experiment[field]))}
    </p>
  </InlineField>
)
