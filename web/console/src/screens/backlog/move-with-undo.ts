import { showToast } from '../../state/toast'
import type { Backlog } from './backlog-state'
import type { Item } from './forest'
import { type Place, placeOf } from './places'
import { texts } from './texts/texts'

/** The same toast as after a move on the board. */
export function moveWithUndo(backlog: Backlog, item: Item, place: Place): void {
  const forest = backlog.forest.value
  if (!forest) return
  const own = placeOf(forest, item)
  const takeBack = () => {
    const now = backlog.forest.value?.items.get(item.key)
    return now && backlog.move(now, own)
  }
  void backlog.move(item, place, () => showToast(texts.movedInOrder(item.key), takeBack))
}
