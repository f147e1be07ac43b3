import type { ItemType } from '../backlog/forest'
import { MoveDialog } from '../backlog/move-dialog'
import { RemoveDialog } from '../backlog/remove-dialog'
import { ConvertDialog } from './convert-dialog'
import type { Parenting } from './parenting'
import { removeItem } from './removal'
import type { ItemPlace, WorkItem } from './requests'

/** The form of a move or of a removal, or of a conversion to the type. */
export type ItemDialog = 'move' | 'remove' | ItemType

interface ItemDialogsProps {
  opened: ItemDialog | undefined
  item: WorkItem
  place: ItemPlace
  parenting: Parenting
  onClose: () => void
}

export function ItemDialogs({ opened, item, place, parenting, onClose }: ItemDialogsProps) {
  const { forest, move } = parenting
  const treeItem = forest?.items.get(item.externalKey)
  if (!opened || !forest || !treeItem) return null
  if (opened === 'move')
    return <MoveDialog forest={forest} items={[treeItem]} onMove={(to) => void move(treeItem, to)} onClose={onClose} />
  if (opened === 'remove')
    return (
      <RemoveDialog
        keys={[treeItem.key]}
        whole={forest}
        onRemove={(keepsBelow) => removeItem(place, item, { keepsBelow, forest })}
        onClose={onClose}
      />
    )
  return <ConvertDialog {...{ item, place, forest, onClose }} to={opened} />
}
