import { useState } from 'preact/hooks'
import { FileDrop } from '../../parts/file-drop'
import { Icon } from '../../parts/icon'
import { FileDialog } from './file-dialog'
import type { Kpi, KpiPlace } from './requests'
import { texts } from './texts/texts'

const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.jsonl'
const SAMPLE = 'date,value\n2026-01-05,61\n2026-01-12,62.5\n2026-01-19,64\n'
const SAMPLE_NAME = 'kpi-values.csv'

/** Names what a file may hold, and shows the values of a file before they are added. */
export function DropFile({ kpi, place }: { kpi: Kpi; place: KpiPlace }) {
  const [file, choose] = useState<File>()
  return (
    <section class="stack tight" aria-label={texts.dropSection}>
      <FileDrop class="drop-values" accept={ACCEPTED} onFile={choose}>
        <Icon name="upload" />
        {texts.drop}
      </FileDrop>
      <p class="sm muted">
        {texts.columnsHint}{' '}
        <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(SAMPLE)}`} download={SAMPLE_NAME}>
          {texts.sample}
        </a>
      </p>
      <details class="sm muted">
        <summary>{texts.formatsTitle}</summary>
        <ul class="format-list">
          {texts.formatsHints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
      </details>
      {file && <FileDialog {...{ kpi, place, file }} onClose={() => choose(undefined)} />}
    </section>
  )
}
