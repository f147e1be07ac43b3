import { useMemo, useState } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { useKeys } from '../../state/keys'
import { BASE } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import { childrenOf, type Forest, type Item } from '../backlog/forest'
import { pathOfBranch, pathOfListed } from '../backlog/paths'
import { mayHold } from '../backlog/places'
import { ProgressBadge } from '../backlog/progress-badge'
import { TypeMark } from '../backlog/type-mark'
import { ChildDialog } from './child-dialog'
import { texts } from './texts/texts'

const MAX_SHOWN = 50
const CHILD_TYPES = ['feature', 'userstory'] as const
export type ChildType = (typeof CHILD_TYPES)[number]

interface ChildrenProps {
  product: string
  itemKey: string
  forest: Forest | undefined
  may: boolean
}

/** The features and the stories of an item, from the tree that the page has read. */
export function Children({ product, itemKey, forest, may }: ChildrenProps) {
  const [added, add] = useState<ChildType>()
  const parent = forest?.items.get(itemKey)
  const types = CHILD_TYPES.filter((type) => parent && mayHold(parent.type, type))
  const [first] = types
  useKeys(
    useMemo(
      () => (may && first ? [{ keys: 'c', label: texts.addChild[first], run: () => add(first) }] : []),
      [may, first],
    ),
  )
  if (!forest || !parent || !types.length) return null
  const items = childrenOf(forest, itemKey).flatMap((key) => forest.items.get(key) ?? [])
  return (
    <section class="stack tight" aria-labelledby="item-children">
      <div class="row wrap">
        <h3 id="item-children">{texts.children[parent.type === 'epic' ? 'epic' : 'feature']}</h3>
        <span class="count">{formatNumber(items.length)}</span>
        {may && (
          <span class="row push">
            {types.map((type) => (
              <button key={type} class="btn ghost small" type="button" onClick={() => add(type)}>
                <Icon name="plus" />
                {texts.addChild[type]}
              </button>
            ))}
          </span>
        )}
      </div>
      {items.length === 0 && <p class="sm muted">{texts.noChildren}</p>}
      {items.length > 0 && (
        <ul class="item-list">
          {items.slice(0, MAX_SHOWN).map((item) => (
            <Child key={item.key} item={item} product={product} />
          ))}
        </ul>
      )}
      {items.length > MAX_SHOWN && (
        <p>
          <a href={BASE + pathOfBranch(product, forest, itemKey)}>{texts.moreChildren(items.length - MAX_SHOWN)}</a>
        </p>
      )}
      {added && <ChildDialog {...{ product, parent }} type={added} onClose={() => add(undefined)} />}
    </section>
  )
}

const Child = ({ item, product }: { item: Item; product: string }) => (
  <li class="row">
    <TypeMark type={item.type} />
    <span class="key">{item.key}</span>
    <a class="quiet truncate grow" href={BASE + pathOfListed(product, item)} title={item.summary}>
      {item.summary}
    </a>
    {item.points.total > 0 && <span class="sm muted num">{texts.pointsOf(formatNumber(item.points.total))}</span>}
    <ProgressBadge progress={item.progress} />
  </li>
)
