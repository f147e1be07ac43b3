import { childrenOf, type Forest, type Item, type ItemType, ROOT } from '../backlog/forest'
import type { WorkItem } from './requests'
import { texts } from './texts/texts'

const nameOfItem = ({ key, summary }: Item): string => `${key} ${summary}`

/** Why the service would refuse the conversion, or undefined. */
export function findConversionObstacle(forest: Forest, key: string, to: ItemType): string | undefined {
  const below = childrenOf(forest, key).map((child) => forest.items.get(child)?.type)
  if (to === 'userstory' && below.length) return texts.moveChildrenFirst
  return to === 'feature' && below.includes('feature') ? texts.moveFeaturesFirst : undefined
}

/** What the conversion changes, a sentence for each change. */
export function describeConversion(forest: Forest, item: WorkItem, to: ItemType): string[] {
  const key = item.externalKey
  const { conversion } = texts
  const stories = childrenOf(forest, key).length
  const points = item.type === 'userstory' ? item.storyPoint : item.estimate
  const isFromStory = item.type === 'userstory'
  return [
    conversion.key(key),
    conversion.last[to],
    ...describeParents(forest, key, to),
    ...(stories ? [conversion.stories(stories)] : []),
    ...(isFromStory && Number(points) > 0 ? [conversion.toEstimate(points)] : []),
    ...(to === 'userstory' && points !== '' ? [conversion.toPoints(points)] : []),
    conversion.rest,
  ]
}

/** An epic has no parent; a story leaves its feature and stays in the epic. */
function describeParents(forest: Forest, key: string, to: ItemType): string[] {
  const sentences: string[] = []
  for (let above = parentOf(forest, key); above; above = parentOf(forest, above.key)) {
    const stays = above.type === 'epic' && to !== 'epic'
    sentences.push(texts.conversion[stays ? 'stays' : 'leaves'](nameOfItem(above)))
  }
  return sentences
}

export function parentOf({ items }: Forest, key: string): Item | undefined {
  const parent = items.get(key)?.parent ?? ROOT
  return parent === ROOT ? undefined : items.get(parent)
}
