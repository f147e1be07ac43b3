import { useState } from 'preact/hooks'
import { FormDialog } from '../../parts/form-dialog'
import type { Kpi, KpiFields } from './requests'
import { texts } from './texts/texts'

interface KpiDialogProps {
  title: string
  action: string
  /** Absent for a new KPI. */
  kpi?: Kpi
  /** `base` is what the person began with. */
  onSave: (fields: KpiFields, base: Kpi | undefined) => Promise<void>
  onClose: () => void
}

const DIRECTIONS = ['MORE', 'LESS', 'EQUAL'] as const
const AGGREGATES = ['last', 'avg', 'sum'] as const

function toFields(form: FormData): KpiFields {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const due = text('dueDate')
  return {
    title: text('title'),
    benchmark: Number(text('benchmark')).toFixed(2),
    benchmarkUnit: text('benchmarkUnit') || null,
    benchmarkType: text('benchmarkType') || null,
    dueDate: due ? new Date(due).toISOString() : null,
    statement: text('statement') || null,
    aggregate: AGGREGATES.find((name) => name === text('aggregate')) ?? 'last',
  }
}

/** Only what the person has changed. */
function diff(fields: KpiFields, kpi: Kpi | undefined): KpiFields {
  if (!kpi) return fields
  const changed = Object.entries(fields).filter(([name, value]) => kpi[name as keyof KpiFields] !== value)
  return Object.fromEntries(changed) as KpiFields
}

export function KpiDialog({ title, action, kpi: current, onSave, onClose }: KpiDialogProps) {
  // A change by somebody else must not look like a change by this person.
  const [kpi] = useState(current)
  return (
    <FormDialog
      title={title}
      action={action}
      failed={texts.notSaved}
      onClose={onClose}
      onSubmit={async (form) => {
        const fields = diff(toFields(form), kpi)
        if (Object.keys(fields).length) await onSave(fields, kpi)
      }}
    >
      <label class="field">
        <span class="label">{texts.fields.title}</span>
        <input
          class="input"
          name="title"
          required
          pattern=".*\S.*"
          maxLength={500}
          defaultValue={kpi?.title}
          autofocus
        />
      </label>
      <div class="pair-fields">
        <label class="field">
          <span class="label">{texts.fields.benchmark}</span>
          <input
            class="input"
            name="benchmark"
            type="number"
            step="0.01"
            required
            defaultValue={kpi?.benchmark ?? '0'}
          />
        </label>
        <label class="field">
          <span class="label">{texts.fields.benchmarkUnit}</span>
          <input class="input" name="benchmarkUnit" maxLength={50} defaultValue={kpi?.benchmarkUnit ?? ''} />
        </label>
        <label class="field">
          <span class="label">{texts.fields.benchmarkType}</span>
          <select class="select" name="benchmarkType">
            {DIRECTIONS.map((name) => (
              <option key={name} value={name} selected={(kpi ? kpi.benchmarkType : 'MORE') === name}>
                {texts.directions[name]}
              </option>
            ))}
            <option value="" selected={kpi?.benchmarkType === null}>
              {texts.directions.none}
            </option>
          </select>
        </label>
        <label class="field">
          <span class="label">{texts.fields.dueDate}</span>
          <input class="input" name="dueDate" type="date" defaultValue={kpi?.dueDate?.slice(0, 10) ?? ''} />
        </label>
      </div>
      <label class="field">
        <span class="label">{texts.fields.aggregate}</span>
        <select class="select" name="aggregate">
          {AGGREGATES.map((name) => (
            <option key={name} value={name} selected={(kpi?.aggregate ?? 'last') === name}>
              {texts.aggregates[name]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">{texts.fields.statement}</span>
        <textarea class="textarea" name="statement" rows={3} maxLength={10_000} defaultValue={kpi?.statement ?? ''} />
      </label>
    </FormDialog>
  )
}
