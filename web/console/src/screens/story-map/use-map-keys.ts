import { useLayoutEffect, useMemo } from 'preact/hooks'
import { useKeys } from '../../state/keys'
import { BESIDE, findSpot, isSameCell, listKeys, listLaneIds, listSteps, type Spot, type StoryMap } from './map-model'
import { describeSpot, listSpots, type MapState } from './map-state'
import { type MapView, zoom } from './map-view'
import { texts } from './texts/texts'

/** The keys of the map. Answers the listener for the keys of the card with the focus. */
export function useMapKeys(state: MapState, view: MapView, mayChange: boolean): (event: KeyboardEvent) => void {
  const actions = useMemo(() => createActions(state, view), [state, view])
  useKeys(
    useMemo(
      () => [
        { keys: 'ArrowDown', label: texts.keys.down, run: () => actions.step(1) },
        { keys: 'j', label: texts.keys.down, run: () => actions.step(1) },
        { keys: 'ArrowUp', label: texts.keys.up, run: () => actions.step(-1) },
        { keys: 'k', label: texts.keys.up, run: () => actions.step(-1) },
        { keys: 'ArrowRight', label: texts.keys.right, run: () => actions.turn(1) },
        { keys: 'ArrowLeft', label: texts.keys.left, run: () => actions.turn(-1) },
        { keys: '+', label: texts.keys.zoomIn, run: () => zoom(1) },
        { keys: '-', label: texts.keys.zoomOut, run: () => zoom(-1) },
        { keys: 'p', label: texts.keys.print, run: () => window.print() },
        ...(mayChange ? listWriteKeys(view, actions) : []),
      ],
      [actions, mayChange],
    ),
  )
  const asked = view.focusAsked.value
  const shown = state.shown.value
  useLayoutEffect(() => {
    if (asked) document.getElementById(`card-${view.current.value}`)?.focus()
  }, [asked, shown])
  return (event) => {
    const isOnCard = event.target instanceof HTMLAnchorElement && event.target.id.startsWith('card-')
    if (!mayChange || !isOnCard || event.defaultPrevented) return
    const isCarrying = view.carrying.carried.value !== undefined
    if (event.key !== ' ' && !(event.key === 'Enter' && isCarrying)) return
    event.preventDefault()
    if (isCarrying) actions.drop()
    else actions.lift()
  }
}

const listWriteKeys = (view: MapView, actions: ReturnType<typeof createActions>) => [
  // The listener of the cards acts on these two.
  { keys: 'Space', label: texts.keys.lift },
  { keys: 'Enter', label: texts.keys.drop },
  { keys: 'm', label: texts.keys.move, run: actions.choose },
  { keys: 'Backspace', label: texts.keys.takeOff, run: actions.takeOff },
  { keys: 'Delete', label: texts.keys.takeOff, run: actions.takeOff },
  { keys: 'Escape', label: texts.keys.clear, run: actions.takeBack },
  {
    keys: 'c',
    label: texts.keys.create,
    run: () => {
      view.editedPart.value = { kind: 'activity' }
    },
  },
]

/** The steps from left to right, then the stories beside the map. */
const listStops = (map: StoryMap): number[] => [...listSteps(map).map(({ id }) => id), BESIDE]

const listKeysOfStep = (map: StoryMap, stepId: number): string[] =>
  stepId === BESIDE
    ? listKeys(map, { stepId, swimlaneId: null })
    : listLaneIds(map).flatMap((swimlaneId) => listKeys(map, { stepId, swimlaneId }))

function createActions(state: MapState, view: MapView) {
  const { carrying, current, spoken } = view
  const keyOf = () => carrying.carried.value ?? current.value ?? ''

  function moveTo(map: StoryMap, spot: Spot | undefined): void {
    const key = carrying.carried.value
    if (!spot || key === undefined) return
    carrying.target.value = spot
    spoken.value = texts.moving(key, describeSpot(map, key, spot))
  }

  /** Up and down. */
  function step(by: 1 | -1): void {
    const map = state.shown.value
    if (!map) return
    const target = carrying.target.value
    if (carrying.carried.value !== undefined) {
      const spots = target ? listSpots(map, keyOf(), target.stepId) : []
      const at = spots.findIndex((spot) => target && isSameCell(spot, target) && spot.index === target.index)
      moveTo(map, spots[at + by])
      return
    }
    const own = findSpot(map, keyOf())
    const keys = own && listKeysOfStep(map, own.stepId)
    const next = keys ? keys[keys.indexOf(keyOf()) + by] : findFirst(map)
    if (next !== undefined) view.focusOn(next)
  }

  /** Right and left: the same swimlane of the next step, or its nearest card. */
  function turn(by: 1 | -1): void {
    const map = state.shown.value
    if (!map) return
    const stops = listStops(map)
    const target = carrying.target.value
    if (carrying.carried.value !== undefined) {
      const stepId = stops[stops.indexOf(target?.stepId ?? BESIDE) + by]
      if (stepId === undefined) return
      const spots = listSpots(map, keyOf(), stepId)
      moveTo(map, spots.findLast((spot) => spot.swimlaneId === target?.swimlaneId) ?? spots[0])
      return
    }
    const next = findBeside(map, keyOf(), by)
    if (next !== undefined) view.focusOn(next)
  }

  function lift(): void {
    const map = state.shown.value
    const spot = map && findSpot(map, current.value ?? '')
    if (!map || !spot || current.value === undefined) return
    carrying.carried.value = current.value
    carrying.target.value = spot
    spoken.value = texts.lifted(current.value, describeSpot(map, current.value, spot))
  }

  function drop(): void {
    const map = state.shown.value
    const key = carrying.carried.value
    const spot = carrying.target.value
    carrying.end()
    if (!map || key === undefined || !spot) return
    spoken.value = texts.movedTo(key, describeSpot(map, key, spot))
    void state.place(key, spot)
    view.focusOn(key)
  }

  function takeOff(): void {
    const map = state.shown.value
    const key = current.value
    const own = map && findSpot(map, key ?? '')
    if (!map || key === undefined || !own || own.stepId === BESIDE) return
    const keys = listKeysOfStep(map, own.stepId)
    const at = keys.indexOf(key)
    carrying.end()
    state.takeOff(key)
    view.focusOn(keys[at + 1] ?? keys[at - 1] ?? key)
  }

  return {
    ...{ step, turn, lift, drop, takeOff },
    choose() {
      if (state.shown.value && findSpot(state.shown.value, current.value ?? '')) view.movedCard.value = current.value
    },
    takeBack() {
      const key = carrying.carried.value
      carrying.end()
      if (key !== undefined) spoken.value = texts.takenBack(key)
    },
  }
}

/** The card to the right or to the left, in the same swimlane if there is one. */
function findBeside(map: StoryMap, key: string, by: 1 | -1): string | undefined {
  const own = findSpot(map, key)
  if (!own) return findFirst(map)
  const stops = listStops(map)
  for (let at = stops.indexOf(own.stepId) + by; at >= 0 && at < stops.length; at += by) {
    const stepId = stops[at] ?? BESIDE
    const sameLane = listKeys(map, { stepId, swimlaneId: own.swimlaneId })
    const next = sameLane[Math.min(own.index, sameLane.length - 1)] ?? listKeysOfStep(map, stepId)[0]
    if (next !== undefined) return next
  }
  return undefined
}

/** The card that a key reaches first. */
export const findFirst = (map: StoryMap): string | undefined =>
  listStops(map)
    .flatMap((stepId) => listKeysOfStep(map, stepId))
    .at(0)
