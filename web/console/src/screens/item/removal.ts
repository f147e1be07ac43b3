import { goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { childrenOf, type Forest } from '../backlog/forest'
import { pathOfBacklog } from '../backlog/paths'
import { sendRemoval, sendRestore } from '../backlog/requests'
import { type ItemPlace, readTreeAgain, type WorkItem } from './requests'
import { texts } from './texts/texts'

export const hasItemsBelow = (forest: Forest | undefined, { externalKey }: WorkItem): boolean =>
  forest !== undefined && childrenOf(forest, externalKey).length > 0

export async function removeItem({ product }: ItemPlace, item: WorkItem, keepsBelow: boolean): Promise<void> {
  const removed = { key: item.externalKey, type: item.type }
  await sendRemoval(product, removed, keepsBelow)
  goTo(pathOfBacklog(product))
  readTreeAgain()
  showToast(texts.removed(item.externalKey), () => sendRestore(product, removed))
}
