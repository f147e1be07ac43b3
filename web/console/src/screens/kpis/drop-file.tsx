import { useState } from 'preact/hooks'
import { Banner } from '../../parts/banner'
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
  const [isOver, setOver] = useState(false)
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
      <label
        class={isOver ? 'drop-values over' : 'drop-values'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          choose(event.dataTransfer?.files[0])
        }}
      >
        <Icon name="upload" />
        {texts.drop}
        <input
          class="sr"
          type="file"
          accept={ACCEPTED}
          onChange={(event) => {
            choose(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </label>
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
