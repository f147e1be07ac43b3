import { signal } from '@preact/signals'
import { createCarrying } from '../../parts/drag'
import { place } from '../../state/place'
import { setQuery } from '../backlog/filters'
import type { PartKind, Spot } from './map-model'

export interface EditedPart {
  kind: PartKind
  /** Absent for a new part. */
  id?: number
  /** The activity of a new step. */
  activityId?: number
}

/** What the person points at, carries or edits. Lives as long as the screen. */
export function createMapView() {
  const current = signal<string | undefined>(undefined)
  const editedPart = signal<EditedPart | undefined>(undefined)
  const movedCard = signal<string | undefined>(undefined)
  const spoken = signal('')
  /** Counts the moves of the focus by keyboard. */
  const focusAsked = signal(0)
  return {
    ...{ current, editedPart, movedCard, spoken, focusAsked, carrying: createCarrying<Spot>() },
    focusOn(key: string | undefined) {
      current.value = key
      focusAsked.value++
    },
  }
}

export type MapView = ReturnType<typeof createMapView>

/** Percent. */
const ZOOMS = [50, 75, 100, 125]
const FULL = 100

export const readZoom = (): number => {
  const asked = Number(place.value.query.get('zoom'))
  return ZOOMS.includes(asked) ? asked : FULL
}

export const findZoom = (by: 1 | -1): number | undefined => ZOOMS[ZOOMS.indexOf(readZoom()) + by]

export function zoom(by: 1 | -1): void {
  const next = findZoom(by)
  if (next) setQuery({ zoom: next === FULL ? undefined : String(next) })
}
