import { useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Loaded } from '../../parts/loaded'
import { ChartCard } from './chart-card'
import { DropFile } from './drop-file'
import { Heading } from './heading'
import { KpiDialog } from './kpi-dialog'
import type { View } from './place'
import { RecordDialog } from './record-dialog'
import { Records } from './records'
import { changeOf, type Kpi, type KpiPlace, useKpi, useTrend } from './requests'
import { Stats } from './stats'
import { texts } from './texts/texts'
import { useDetailKeys } from './use-keys'

interface PaneProps {
  view: View
  place: KpiPlace
  may: boolean
  onRemove: () => void
}

export const DetailPane = (props: PaneProps) => (
  <Loaded query={useKpi(props.place)} failed={texts.loadFailed}>
    {(current) => <Detail {...props} current={current} />}
  </Loaded>
)

function Detail({ view, place, may, onRemove, current }: PaneProps & { current: Versioned<Kpi> }) {
  const { shown, save, conflict, failure } = useChange<Kpi>({ current, ...changeOf(place) })
  const kpi = shown ?? current.record
  const { data: trend } = useTrend(place, view.range)
  const [opened, open] = useState<'edit' | 'record'>()
  const close = () => open(undefined)

  const actions = { edit: () => open('edit'), record: () => open('record'), remove: onRemove }
  useDetailKeys(may, actions, [place.key, onRemove])
  return (
    <div class="wide stack loose">
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          record={{ ...place, mark: current.etag }}
          name={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
          show={(_, value) => String(value ?? '')}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      <Heading {...{ kpi, place, view, trend, may }} {...actions} />
      <Stats kpi={kpi} trend={trend} />
      <ChartCard {...{ kpi, place, view, trend }} />
      {kpi.statement && <p>{kpi.statement}</p>}
      {may && <DropFile kpi={kpi} place={place} />}
      <Records {...{ kpi, place, may }} />
      {opened === 'record' && <RecordDialog kpi={kpi} place={place} onClose={close} />}
      {opened === 'edit' && (
        <KpiDialog
          title={texts.editTitle}
          action={texts.save}
          kpi={kpi}
          onClose={close}
          onSave={async (fields, base) => save(fields, base)}
        />
      )}
    </div>
  )
}
