import { useMemo } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { type Me, mayChange } from '../../api/me'
import { useProducts } from '../../api/products'
import { Failure } from '../../parts/failure'
import { idOfEdit } from '../../parts/inline-title'
import { Loaded } from '../../parts/loaded'
import { useKeys } from '../../state/keys'
import type { CastState } from './cast-state'
import { Experiments } from './experiments'
import { Heading } from './heading'
import { DETAIL_TITLE, type View } from './place'
import { Portrait } from './portrait'
import { Properties } from './properties'
import { RecordConflict } from './record-conflict'
import { type BoardSegment, changeOf, type Persona, usePersona } from './requests'
import { texts } from './texts/texts'

interface PaneProps {
  me: Me
  view: View
  state: CastState
  personaKey: string
  onRemove: () => void
}

export function DetailPane(props: PaneProps) {
  const query = usePersona(props.personaKey)
  return (
    <Loaded query={query} failed={texts.loadFailed}>
      {(current) => <Detail {...props} current={current} />}
    </Loaded>
  )
}

function Detail({ me, view, state, personaKey, onRemove, current }: PaneProps & { current: Versioned<Persona> }) {
  const { shown, save, conflict, failure } = useChange<Persona>({
    current,
    ...changeOf(personaKey, () => void state.read()),
  })
  const persona = shown ?? current.record
  const may = mayChange(me, 'personas')
  const segments = state.shown.value?.segments ?? []
  const show = useShownValue(segments)
  useKeys(
    useMemo(
      () =>
        may
          ? [
              {
                keys: 'e',
                label: texts.keys.edit,
                run: () => document.getElementById(idOfEdit(DETAIL_TITLE))?.click(),
              },
              { keys: 'Backspace', label: texts.keys.remove, run: onRemove },
            ]
          : [],
      [may, onRemove],
    ),
  )
  return (
    <div class="wide stack loose">
      {conflict && (
        <RecordConflict
          {...{ conflict, show }}
          product={persona.product ?? undefined}
          name={(field) => texts.fields[field as keyof typeof texts.fields] ?? field}
        />
      )}
      {failure && <Failure title={texts.notSaved} error={failure.error} onRetry={failure.retry} />}
      <Heading {...{ persona, view, may, save, onRemove }} />
      <Portrait {...{ persona, may, save }} />
      <Properties {...{ persona, segments, may, save }} />
      <Experiments personaKey={personaKey} />
    </div>
  )
}

/** How a conflict shows a value of a field. */
export function useShownValue(segments: readonly BoardSegment[]) {
  const products = useProducts()
  return (field: keyof Persona, value: Persona[keyof Persona]): string => {
    if (field === 'boardSegmentId') return segments.find(({ id }) => id === value)?.name ?? texts.noSegment
    if (field === 'product')
      return (
        products.find(({ externalKey }) => externalKey === value)?.name ?? (value ? String(value) : texts.allProducts)
      )
    if (field === 'description')
      return new DOMParser().parseFromString(String(value ?? ''), 'text/html').body.textContent || '—'
    return Array.isArray(value) ? value.join(', ') : String(value ?? '—')
  }
}
