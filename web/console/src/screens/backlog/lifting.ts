import type { Backlog } from './backlog-state'
import { readBranches, setBranch } from './filters'
import { ROOT } from './forest'
import { moveWithUndo } from './move-with-undo'
import { isSamePlace, listPeers, listPlaces, moveItem, type Place, placeOf } from './places'
import type { Selection } from './selection'
import { texts } from './texts/texts'

/** Names a place for the live region: "below Checkout, position 2 of 3". */
function describe(backlog: Backlog, key: string, { parent, index }: Place): string {
  const forest = backlog.forest.value
  const item = forest?.items.get(key)
  if (!forest || !item) return ''
  const of = listPeers(forest, parent, item).length + 1
  return texts.placeOf(parent === ROOT ? '' : (forest.items.get(parent)?.summary ?? parent), index + 1, of)
}

/** Lifts the current row with the keyboard. */
export function liftItem(backlog: Backlog, selection: Selection): void {
  const forest = backlog.forest.value
  const item = forest?.items.get(selection.current.value ?? '')
  if (!forest || !item || item.isNew) return
  const places = listPlaces(forest, item)
  const own = placeOf(forest, item)
  const at = places.findIndex((place) => isSamePlace(place, own))
  selection.lift.value = { key: item.key, places, at }
  selection.spoken.value = texts.lifted(item.key, describe(backlog, item.key, own))
}

/** To the next or the previous place; left and right go to another parent. */
export function stepLift(backlog: Backlog, selection: Selection, to: 1 | -1 | 'left' | 'right'): void {
  const lift = selection.lift.value
  if (!lift) return
  const { places, at, key } = lift
  const parent = places[at]?.parent
  const found =
    to === 'right'
      ? places.findIndex((place, n) => n > at && place.parent !== parent)
      : to === 'left'
        ? places.findLastIndex((place, n) => n < at && place.parent !== parent)
        : at + to
  const place = places[found]
  if (!place) return
  selection.lift.value = { ...lift, at: found }
  if (place.parent !== ROOT) setBranch(readBranches(backlog.forest.value), place.parent, true)
  selection.spoken.value = texts.moving(key, describe(backlog, key, place))
  selection.focusOn(key)
}

/** Drops the row where it is, or takes it back. */
export function dropLifted(backlog: Backlog, selection: Selection, { takesBack = false } = {}): void {
  const lift = selection.lift.value
  const forest = backlog.forest.value
  const item = forest?.items.get(lift?.key ?? '')
  selection.lift.value = undefined
  if (!lift || !item) return
  const place = lift.places[lift.at]
  if (takesBack || !place) selection.spoken.value = texts.takenBack(item.key)
  else {
    selection.spoken.value = texts.movedTo(item.key, describe(backlog, item.key, place))
    moveWithUndo(backlog, item, place)
  }
  selection.focusOn(item.key)
}

/** The tree as it looks while a row is carried by keyboard. */
export function showLifted(backlog: Backlog, selection: Selection) {
  const lift = selection.lift.value
  const forest = backlog.forest.value
  const place = lift?.places[lift.at]
  return lift && forest && place ? moveItem(forest, lift.key, place) : forest
}
