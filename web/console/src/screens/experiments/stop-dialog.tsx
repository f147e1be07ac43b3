import { FormDialog } from '../../parts/form-dialog'
import { type ExperimentPlace, type Outcome, readAgain, sendStop } from './requests'
import { DECISIONS, RESULTS } from './results'
import { texts } from './texts/texts'

interface StopDialogProps {
  place: ExperimentPlace
  title: string
  /** What the experiment has learned so far. */
  learnings: string | null
  actualValue: string | null
  onClose: () => void
}

function toOutcome(form: FormData): Outcome | undefined {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const result = RESULTS.find((name) => name === text('result'))
  const decision = DECISIONS.find((name) => name === text('decision'))
  return (
    result && {
      result,
      ...(decision && { decision }),
      ...(text('learnings') && { learnings: text('learnings') }),
      ...(text('actualValue') && { actualValue: text('actualValue').replace(',', '.') }),
    }
  )
}

/** The result and the learnings, which end the experiment. */
export const StopDialog = ({ place, title, learnings, actualValue, onClose }: StopDialogProps) => (
  <FormDialog
    title={texts.stopTitle(title)}
    action={texts.stopNow}
    failed={texts.notStopped}
    onClose={onClose}
    onSubmit={async (form) => {
      const outcome = toOutcome(form)
      if (!outcome) return
      await sendStop(place, outcome)
      await readAgain()
    }}
  >
    <p class="muted">{texts.stopHint}</p>
    <fieldset class="stack tight">
      <legend class="label">{texts.fields.result}</legend>
      {RESULTS.map((result) => (
        <label key={result} class="check">
          <input type="radio" name="result" value={result} required />
          {texts.results[result]}
        </label>
      ))}
    </fieldset>
    <label class="field">
      <span class="label">{texts.fields.decision}</span>
      <select class="select" name="decision">
        <option value="">{texts.noDecision}</option>
        {DECISIONS.map((decision) => (
          <option key={decision} value={decision}>
            {texts.decisions[decision]}
          </option>
        ))}
      </select>
    </label>
    <label class="field">
      <span class="label">{texts.fields.actualValue}</span>
      <input class="input" name="actualValue" inputMode="decimal" maxLength={30} defaultValue={actualValue ?? ''} />
    </label>
    <label class="field">
      <span class="label">{texts.fields.learnings}</span>
      <textarea class="textarea" name="learnings" rows={3} maxLength={10_000} defaultValue={learnings ?? ''} />
    </label>
  </FormDialog>
)
