import { useRef } from 'preact/hooks'
import { nameOf, type User } from '../../api/users'
import { Avatar } from '../../parts/avatar'
import { type Carrying, useDraggable } from '../../parts/drag'
import { Icon } from '../../parts/icon'
import { makePure } from '../../parts/pure'
import { Waiting } from '../../parts/waiting'
import { BASE } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import type { Backlog } from '../backlog/backlog-state'
import { EditFields } from '../backlog/edit-fields'
import type { Item } from '../backlog/forest'
import { pathOfListed } from '../backlog/paths'
import type { Selection } from '../backlog/selection'
import { texts } from '../backlog/texts/texts'
import { TypeMark } from '../backlog/type-mark'
import type { BoardPlace } from './columns'

interface CardProps {
  item: Item
  backlog: Backlog
  selection: Selection
  carrying: Carrying<BoardPlace>
  users: readonly User[]
  isTabStop: boolean
  isSelected: boolean
  isEditing: boolean
  /** A change of the item is on its way. */
  isSending: boolean
  isCarried: boolean
  mayChange: boolean
}

function ShownCard(props: CardProps) {
  const {
    item,
    backlog,
    selection,
    carrying,
    users,
    isTabStop,
    isSelected,
    isEditing,
    isSending,
    isCarried,
    mayChange,
  } = props
  const element = useRef<HTMLLIElement>(null)
  useDraggable({ element, key: item.key, carrying, mayChange: mayChange && !item.isNew })
  const owners = item.owners.flatMap((id) => users.find((user) => user.id === id) ?? [])
  return (
    <li ref={element} class={`work${isSelected ? ' picked' : ''}${isCarried ? ' carried' : ''}`} data-key={item.key}>
      <div class="row">
        <TypeMark type={item.type} />
        {!item.isNew && <span class="key">{item.key}</span>}
        <Waiting isSaving={isSending} />
        {isSelected && <span class="sr">{texts.isSelected}</span>}
        {item.points.total > 0 && (
          <span class="count push">
            <span class="sr">{texts.points}: </span>
            {formatNumber(item.points.total)}
          </span>
        )}
        {mayChange && !item.isNew && <MoveButton item={item} selection={selection} hasPoints={item.points.total > 0} />}
      </div>
      {item.isNew ? (
        <h3 class="name">{item.summary}</h3>
      ) : isEditing ? (
        <EditFields
          item={item}
          hasPoints={item.type === 'userstory'}
          onSave={(change) => void backlog.edit(item, change)}
          onClose={() => {
            selection.editing.value = undefined
            selection.focusOn(item.key)
          }}
        />
      ) : (
        <h3 class="name">
          <a
            class="stretch"
            id={`card-${item.key}`}
            href={BASE + pathOfListed(backlog.product, item)}
            tabIndex={isTabStop ? 0 : -1}
            draggable={false}
            onFocus={() => {
              selection.current.value = item.key
            }}
          >
            {item.summary}
          </a>
        </h3>
      )}
      {(item.tags.length > 0 || owners.length > 0) && (
        <div class="row wrap">
          {item.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
          {owners.map((owner) => (
            <span key={owner.id} class="push" title={nameOf(owner)}>
              <Avatar name={nameOf(owner)} />
              <span class="sr">{nameOf(owner)}</span>
            </span>
          ))}
        </div>
      )}
    </li>
  )
}

export const Card = makePure(ShownCard)

interface MoveButtonProps {
  item: Item
  selection: Selection
  hasPoints: boolean
}

/** Opens the form of a move, for people without a mouse or a keyboard. */
const MoveButton = ({ item, selection, hasPoints }: MoveButtonProps) => (
  <button
    class={`btn ghost icon small act${hasPoints ? '' : ' push'}`}
    type="button"
    tabIndex={-1}
    aria-label={texts.moveOne(item.key)}
    onClick={() => {
      if (!selection.selected.value.has(item.key)) selection.clear()
      selection.current.value = item.key
      selection.chooser.value = 'column'
    }}
  >
    <Icon name="move" />
  </button>
)
