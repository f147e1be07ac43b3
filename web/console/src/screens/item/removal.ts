import { goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { childrenOf, type Forest, listBelow } from '../backlog/forest'
import { pathOfBacklog } from '../backlog/paths'
import { sendRemoval, sendRestore } from '../backlog/requests'
import { texts as backlogTexts } from '../backlog/texts/texts'
import { type ItemPlace, readTreeAgain, type WorkItem } from './requests'
import { texts } from './texts/texts'

export const hasItemsBelow = (forest: Forest | undefined, { externalKey }: WorkItem): boolean =>
  forest !== undefined && childrenOf(forest, externalKey).length > 0

interface Removal {
  keepsBelow: boolean
  forest: Forest | undefined
}

export async function removeItem({ product }: ItemPlace, item: WorkItem, { keepsBelow, forest }: Removal) {
  const count = forest && !keepsBelow ? listBelow(forest, [item.externalKey]).length : 1
  const removed = { key: item.externalKey, type: item.type }
  await sendRemoval(product, removed, keepsBelow)
  goTo(pathOfBacklog(product))
  readTreeAgain()
  const text = count > 1 ? backlogTexts.removedMany(count) : texts.removed(item.externalKey)
  showToast(text, () => sendRestore(product, removed))
}
