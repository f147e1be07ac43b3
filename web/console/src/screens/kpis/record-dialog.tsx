import { FormDialog } from '../../parts/form-dialog'
import { showToast } from '../../state/toast'
import { formatStored } from '../../texts/formats'
import { type Kpi, type KpiPlace, type KpiRecord, readAgain, sendRecord, sendRecordRemoval } from './requests'
import { texts } from './texts/texts'

export function RecordDialog({ kpi, place, onClose }: { kpi: Kpi; place: KpiPlace; onClose: () => void }) {
  async function add(form: FormData): Promise<void> {
    const record = { value: String(form.get('value')), createdAt: new Date(String(form.get('day'))).toISOString() }
    const added = await sendRecord(place, record)
    void readAgain()
    showToast(texts.recordAdded, added && (() => sendRecordRemoval(place, added).then(readAgain)))
  }
  return (
    <FormDialog
      title={texts.recordTitle}
      action={texts.addRecord}
      failed={texts.recordNotSaved}
      onSubmit={add}
      onClose={onClose}
    >
      <ValueField unit={kpi.benchmarkUnit} />
      <label class="field">
        <span class="label">{texts.day}</span>
        <input class="input" name="day" type="date" required defaultValue={new Date().toISOString().slice(0, 10)} />
      </label>
    </FormDialog>
  )
}

interface ChangeDialogProps {
  kpi: Kpi
  place: KpiPlace
  record: KpiRecord
  onClose: () => void
}

export function ChangeRecordDialog({ kpi, place, record, onClose }: ChangeDialogProps) {
  async function change(form: FormData): Promise<void> {
    await sendRecord(place, { ...record, value: String(form.get('value')) }, 'upsert')
    void readAgain()
    showToast(texts.recordChanged, () => sendRecord(place, record, 'upsert').then(readAgain))
  }
  return (
    <FormDialog
      title={texts.changeRecordTitle(formatStored(record.createdAt))}
      action={texts.changeRecord}
      failed={texts.recordNotSaved}
      onSubmit={change}
      onClose={onClose}
    >
      <ValueField unit={kpi.benchmarkUnit} value={record.value} />
    </FormDialog>
  )
}

const ValueField = ({ unit, value }: { unit: string | null; value?: string }) => (
  <label class="field">
    <span class="label">
      {texts.value}
      {unit && ` (${unit})`}
    </span>
    <input class="input" name="value" type="number" step="0.01" required autofocus defaultValue={value} />
  </label>
)
