import { showToast } from '../../state/toast'
import type { Backlog } from '../backlog/backlog-state'
import type { Item } from '../backlog/forest'
import { isSamePlace, placeOf } from '../backlog/places'
import { labelOfProgress } from '../backlog/progress-badge'
import { texts } from '../backlog/texts/texts'
import type { CardMove } from './columns'

/** Moves cards to a column, or one card beside another card. The toast takes back what was stored. */
export function moveCards(backlog: Backlog, items: readonly Item[], { progress, place }: CardMove): void {
  const forest = backlog.forest.value
  const [first] = items
  if (!forest || !first) return
  const changed = items.filter((item) => item.progress !== progress)
  const former = new Map(changed.map((item) => [item.key, item.progress]))
  const own = placeOf(forest, first)
  const isPlaced = place !== undefined && !isSamePlace(own, place)
  let [hasProgress, hasPlace] = [false, false]
  const undo = async (): Promise<void> => {
    const items = changed.flatMap(({ key }) => backlog.forest.value?.items.get(key) ?? [])
    if (hasProgress && items.length)
      await backlog.editMany(items, (item) => ({ progress: former.get(item.key) ?? item.progress }))
    const card = backlog.forest.value?.items.get(first.key)
    if (hasPlace && card) await backlog.move(card, own)
  }
  const say = () =>
    showToast(
      hasProgress
        ? texts.movedToColumn(
            changed.map(({ key }) => key),
            labelOfProgress(progress),
          )
        : texts.movedInOrder(first.key),
      undo,
    )
  const onProgress = () => {
    hasProgress = true
    if (!isPlaced) say()
  }
  const onPlace = () => {
    hasPlace = true
    say()
  }
  if (changed.length) void backlog.editMany(changed, () => ({ progress }), onProgress)
  if (isPlaced) void backlog.move(first, place, onPlace)
}
