import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { showToast } from '../../state/toast'
import { formatStored } from '../../texts/formats'
import { formatValue } from './formats'
import { ChangeRecordDialog } from './record-dialog'
import { type Kpi, type KpiPlace, type KpiRecord, readAgain, sendRecord, sendRecordRemoval } from './requests'
import { texts } from './texts/texts'

export function Records({ kpi, place, may }: { kpi: Kpi; place: KpiPlace; may: boolean }) {
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const [changed, change] = useState<KpiRecord>()
  const unit = kpi.benchmarkUnit
  async function remove(record: KpiRecord): Promise<void> {
    fail(undefined)
    try {
      await sendRecordRemoval(place, record)
      void readAgain()
      document.getElementById('kpi-records')?.focus()
      showToast(texts.recordRemoved, () => sendRecord(place, record).then(readAgain))
    } catch (error) {
      fail({ error, retry: () => void remove(record) })
    }
  }
  return (
    <section aria-labelledby="kpi-records">
      <h3 id="kpi-records" tabIndex={-1} class="gap-b">
        {texts.newest}
      </h3>
      {failed && <Failure title={texts.recordNotRemoved} error={failed.error} onRetry={failed.retry} />}
      {kpi.kpi_revisions.length === 0 && <p class="muted">{texts.noRecords}</p>}
      <ul class="records">
        {kpi.kpi_revisions.map((record) => (
          <li key={record.id} class="row">
            <time class="sm muted" dateTime={record.createdAt}>
              {formatStored(record.createdAt)}
            </time>
            <strong class="num push">{formatValue(record.value, unit)}</strong>
            {may && (
              <>
                <button
                  class="btn ghost icon small"
                  type="button"
                  aria-label={texts.editRecord(formatStored(record.createdAt), formatValue(record.value, unit))}
                  onClick={() => change(record)}
                >
                  <Icon name="pencil" />
                </button>
                <button
                  class="btn ghost icon small"
                  type="button"
                  aria-label={texts.removeRecord(formatStored(record.createdAt), formatValue(record.value, unit))}
                  onClick={() => void remove(record)}
                >
                  <Icon name="x" />
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {changed && <ChangeRecordDialog {...{ kpi, place }} record={changed} onClose={() => change(undefined)} />}
    </section>
  )
}
