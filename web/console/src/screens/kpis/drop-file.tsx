import { useState } from 'preact/hooks'
import { Banner } from '../../parts/banner'
import { FileDrop } from '../../parts/file-drop'
import { FormDialog } from '../../parts/form-dialog'
import { Icon } from '../../parts/icon'
import { type Kpi, type KpiPlace, type Mode, readAgain, sendFile } from './requests'
import { texts } from './texts/texts'

const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.jsonl'
const MODES: readonly Mode[] = ['insert', 'upsert']

/** A file is sent after the choice about records of the same time. The service names the rows that it leaves out. */
export function DropFile({ kpi, place }: { kpi: Kpi; place: KpiPlace }) {
  const [file, choose] = useState<File>()
  const [outcome, setOutcome] = useState('')
  // Several records of a sum may have the same time.
  const usual: Mode = kpi.aggregate === 'sum' ? 'insert' : 'upsert'
  return (
    <>
      <div role="status">
        {outcome && (
          <Banner tone="green" icon="done" title={texts.fileDone}>
            {outcome}
          </Banner>
        )}
      </div>
      <FileDrop class="drop-values" accept={ACCEPTED} onFile={choose}>
        <Icon name="upload" />
        {texts.drop}
      </FileDrop>
      {file && (
        <FormDialog
          title={texts.dropTitle(file.name)}
          action={texts.insertFile}
          failed={texts.fileFailed}
          onClose={() => choose(undefined)}
          onSubmit={async (form) => {
            setOutcome(await sendFile(place, file, form.get('mode') === 'insert' ? 'insert' : 'upsert'))
            void readAgain()
          }}
        >
          <fieldset class="stack tight">
            <legend class="label">{texts.sameTime}</legend>
            {MODES.map((mode) => (
              <label key={mode} class="check">
                <input type="radio" name="mode" value={mode} defaultChecked={mode === usual} />
                {texts.modes[mode]}
              </label>
            ))}
          </fieldset>
          <p class="sm muted">{texts.dropHint}</p>
        </FormDialog>
      )}
    </>
  )
}
