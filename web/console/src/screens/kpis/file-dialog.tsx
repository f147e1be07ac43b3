import { useEffect, useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { FormDialog } from '../../parts/form-dialog'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { FilePreview } from './file-preview'
import { checkFile, type DryRun, type Kpi, type KpiPlace, type Mode, readAgain, sendFile, undoFile } from './requests'
import { texts } from './texts/texts'

const MODES: readonly Mode[] = ['insert', 'upsert']

interface FileDialogProps {
  kpi: Kpi
  place: KpiPlace
  file: File
  onClose: () => void
}

/** The service reads the file and stores nothing, until the person adds the values. */
export function FileDialog({ kpi, place, file, onClose }: FileDialogProps) {
  // Several records of a sum may have the same time.
  const [mode, setMode] = useState<Mode>(kpi.aggregate === 'sum' ? 'insert' : 'upsert')
  const [checked, setChecked] = useState<DryRun>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isLatest = true
    setChecked(undefined)
    setError(undefined)
    checkFile(place, file, mode).then(
      (found) => isLatest && setChecked(found),
      (cause: unknown) => isLatest && setError(cause),
    )
    return () => {
      isLatest = false
    }
  }, [file, mode])

  async function add(): Promise<void> {
    const inserted = await sendFile(place, file, mode)
    void readAgain()
    const [count, former] = [checked?.added ?? 0, checked?.former ?? []]
    const isWhole = former.length === (checked?.replaced ?? 0)
    showToast(
      texts.valuesAdded(count),
      inserted && isWhole ? () => undoFile(place, inserted, former).then(readAgain) : undefined,
    )
  }
  return (
    <FormDialog
      title={texts.dropTitle(file.name)}
      action={checked ? texts.addValues(checked.added) : texts.insertFile}
      failed={texts.fileFailed}
      isReady={checked !== undefined && checked.added > 0}
      onClose={onClose}
      onSubmit={add}
    >
      {error !== undefined && <Failure title={texts.fileUnreadable} error={error} />}
      <fieldset class="stack tight">
        <legend class="label">{texts.sameTime}</legend>
        {MODES.map((name) => (
          <label key={name} class="check">
            <input type="radio" name="mode" value={name} checked={mode === name} onChange={() => setMode(name)} />
            {texts.modes[name]}
          </label>
        ))}
      </fieldset>
      {!checked && error === undefined && <Skeleton lines={5} />}
      {checked && <FilePreview checked={checked} unit={kpi.benchmarkUnit} />}
    </FormDialog>
  )
}
