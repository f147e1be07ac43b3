import { useMemo, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { type Me, mayChange } from '../../api/me'
import { Failure } from '../../parts/failure'
import { idOfEdit } from '../../parts/inline-title'
import { Loaded } from '../../parts/loaded'
import { useKeys } from '../../state/keys'
import { RecordConflict } from '../personas/record-conflict'
import { Heading, mayStart } from './heading'
import { Links } from './links'
import { DETAIL_TITLE, type View } from './place'
import { Findings, Plan } from './plan'
import { changeOf, type Experiment, type ExperimentPlace, readAgain, sendStart, useExperiment } from './requests'
import { StopDialog } from './stop-dialog'
import { texts } from './texts/texts'

interface PaneProps {
  me: Me
  view: View
  place: ExperimentPlace
  onRemove: () => void
}

export function DetailPane(props: PaneProps) {
  const query = useExperiment(props.place)
  return (
    <Loaded query={query} failed={texts.loadFailed}>
      {(current) => <Detail {...props} current={current} />}
    </Loaded>
  )
}

function Detail({ me, view, place, onRemove, current }: PaneProps & { current: Versioned<Experiment> }) {
  const { shown, save, conflict, failure } = useChange<Experiment>({ current, ...changeOf(place) })
  const experiment = shown ?? current.record
  const may = mayChange(me, 'backlog')
  const [isStopping, stop] = useState(false)
  const [notStarted, failToStart] = useState<unknown>()
  const start = () => {
    failToStart(undefined)
    sendStart(place).then(readAgain).catch(failToStart)
  }
  const changeStatus = !may
    ? undefined
    : experiment.status === 'running'
      ? () => stop(true)
      : mayStart(experiment)
        ? start
        : undefined
  useDetailKeys({ may, changeStatus, onRemove }, [may, experiment.status, mayStart(experiment), onRemove])
  const edit = { experiment, may, save }
  return (
    <div class="wide stack loose">
      {conflict && (
        <RecordConflict
          conflict={conflict}
          product={place.product}
          name={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
          show={showValue}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      {notStarted !== undefined && <Failure title={texts.notStarted} error={notStarted} onRetry={start} />}
      <Heading {...edit} {...{ view, onRemove }} onStart={start} onStop={() => stop(true)} />
      <Plan {...edit} />
      <Findings {...edit} />
      <Links {...edit} product={place.product} />
      {isStopping && (
        <StopDialog
          place={place}
          title={experiment.title}
          learnings={experiment.learnings}
          actualValue={experiment.actualValue}
          onClose={() => stop(false)}
        />
      )}
    </div>
  )
}

function showValue(field: keyof Experiment, value: Experiment[keyof Experiment]): string {
  if (field === 'result' && value) return texts.results[value as keyof typeof texts.results]
  if (field === 'decision' && value) return texts.decisions[value as keyof typeof texts.decisions]
  if (Array.isArray(value)) return value.length ? value.join(', ') : '—'
  return String(value ?? '—')
}

interface DetailActions {
  may: boolean
  /** Absent if the status does not change now. */
  changeStatus: (() => void) | undefined
  onRemove: () => void
}

function useDetailKeys({ may, changeStatus, onRemove }: DetailActions, when: readonly unknown[]): void {
  useKeys(
    useMemo(
      () => [
        ...(changeStatus ? [{ keys: 's', label: texts.keys.status, run: changeStatus }] : []),
        ...(may
          ? [
              {
                keys: 'e',
                label: texts.keys.edit,
                run: () => document.getElementById(idOfEdit(DETAIL_TITLE))?.click(),
              },
              { keys: 'Backspace', label: texts.keys.remove, run: onRemove },
            ]
          : []),
      ],
      when,
    ),
  )
}
