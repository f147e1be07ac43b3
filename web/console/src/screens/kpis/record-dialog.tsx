import { showToast } from '../../state/toast'
import { FormDialog } from './form-dialog'
import { type Kpi, type KpiPlace, readAgain, sendRecord, sendRecordRemoval } from './requests'
import { texts } from './texts/texts'

export function RecordDialog({ kpi, place, onClose }: { kpi: Kpi; place: KpiPlace; onClose: () => void }) {
  async function add(form: FormData): Promise<void> {
    const record = { value: String(form.get('value')), createdAt: new Date(String(form.get('day'))).toISOString() }
    const added = await sendRecord(place, record)
    void readAgain()
    showToast(texts.recordAdded, added && (() => void sendRecordRemoval(place, added).then(readAgain)))
  }
  return (
    <FormDialog
      title={texts.recordTitle}
      action={texts.addRecord}
      failed={texts.recordNotSaved}
      onSubmit={add}
      onClose={onClose}
    >
      <label class="field">
        <span class="label">
          {texts.value}
          {kpi.benchmarkUnit && ` (${kpi.benchmarkUnit})`}
        </span>
        <input class="input" name="value" type="number" step="0.01" required autofocus />
      </label>
      <label class="field">
        <span class="label">{texts.day}</span>
        <input class="input" name="day" type="date" required defaultValue={new Date().toISOString().slice(0, 10)} />
      </label>
    </FormDialog>
  )
}
