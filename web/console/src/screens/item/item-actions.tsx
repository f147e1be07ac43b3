import { useMemo } from 'preact/hooks'
import { Icon } from '../../parts/icon'
import { MenuItem } from '../../parts/menu-item'
import { useKeys } from '../../state/keys'
import { goTo } from '../../state/place'
import { showToast } from '../../state/toast'
import { readFilters } from '../backlog/filters'
import { type Forest, listRows, TYPES } from '../backlog/forest'
import { pathOfListed } from '../backlog/paths'
import { findConversionObstacle } from './conversion'
import type { ItemDialog } from './item-dialogs'
import { hasItemsBelow, removeItem } from './removal'
import { type ItemPlace, useForest, type WorkItem } from './requests'
import { texts } from './texts/texts'

interface ItemActionsProps {
  item: WorkItem
  place: ItemPlace
  forest: Forest | undefined
  may: boolean
  open: (dialog: ItemDialog) => void
}

const MENU = 'item-more'

/** The way to the next item, and what can be done with the item. */
export function ItemActions({ item, place, forest, may, open }: ItemActionsProps) {
  const { previous, next } = useNeighbors(place.product, item.externalKey)
  const mayMove = may && item.type !== 'epic' && forest?.items.has(item.externalKey)
  const show = (key: string | undefined) => key && goTo(pathOfListed(place.product, { key }), { replaces: true })
  const remove = () =>
    hasItemsBelow(forest, item) ? open('remove') : void removeItem(place, item, { keepsBelow: false, forest })
  useKeys(
    useMemo(
      () => [
        { keys: 'j', label: texts.nextItem, run: () => show(next) },
        { keys: 'k', label: texts.previousItem, run: () => show(previous) },
        { keys: 'y', label: texts.copyLink, run: () => void copyLink() },
        ...(mayMove ? [{ keys: 'm', label: texts.move, run: () => open('move') }] : []),
        ...(may ? [{ keys: 'Backspace', label: texts.remove, run: remove }] : []),
      ],
      [place.product, item.externalKey, previous, next, may, mayMove, forest],
    ),
  )
  return (
    <>
      <StepButton icon="up" text={texts.previousItem} disabled={!previous} onClick={() => show(previous)} />
      <StepButton icon="down" text={texts.nextItem} disabled={!next} onClick={() => show(next)} />
      <button
        class="btn ghost icon small"
        type="button"
        popovertarget={MENU}
        aria-label={texts.moreActions}
        title={texts.moreActions}
      >
        <Icon name="more" />
      </button>
      <div class="menu end" id={MENU} popover="auto">
        {may &&
          forest &&
          TYPES.filter((type) => type !== item.type).map((type) => (
            <MenuItem
              key={type}
              menu={MENU}
              icon="promote"
              text={texts.convert[type]}
              reason={findConversionObstacle(forest, item.externalKey, type)}
              onClick={() => open(type)}
            />
          ))}
        {mayMove && <MenuItem menu={MENU} icon="move" text={texts.move} hotkey="M" onClick={() => open('move')} />}
        <MenuItem menu={MENU} icon="link" text={texts.copyLink} hotkey="Y" onClick={() => void copyLink()} />
        {may && <hr />}
        {may && <MenuItem menu={MENU} icon="remove" text={texts.remove} hotkey="⌫" isDanger onClick={remove} />}
      </div>
    </>
  )
}

interface StepButtonProps {
  icon: 'up' | 'down'
  text: string
  disabled: boolean
  onClick: () => void
}

const StepButton = ({ icon, text, disabled, onClick }: StepButtonProps) => (
  <button class="btn ghost icon small" type="button" aria-label={text} disabled={disabled} onClick={onClick}>
    <Icon name={icon} />
  </button>
)

/** Keys of the items before and after, in the order of the filtered tree. */
function useNeighbors(product: string, key: string): { previous?: string | undefined; next?: string | undefined } {
  const { data: forest } = useForest(product, readFilters())
  const keys = useMemo(() => listKeys(forest), [forest])
  const at = keys.indexOf(key)
  return at < 0 ? {} : { previous: keys[at - 1], next: keys[at + 1] }
}

const listKeys = (forest: Forest | undefined): string[] =>
  forest ? listRows(forest, () => true).map(({ item }) => item.key) : []

async function copyLink(): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  )
  showToast(isCopied ? texts.linkCopied : texts.linkNotCopied)
}
