import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useRef } from 'preact/hooks'
import type { User } from '../../api/users'
import { Icon } from '../../parts/icon'
import { makePure } from '../../parts/pure'
import { Waiting } from '../../parts/waiting'
import { BASE } from '../../state/place'
import { formatNumber } from '../../texts/formats'
import type { Backlog } from './backlog-state'
import { EditFields } from './edit-fields'
import { readBranches, setBranch } from './filters'
import type { Row } from './forest'
import { pathOfListed } from './paths'
import { ProgressBadge } from './progress-badge'
import type { Version } from './requests'
import { None, Owners, PointsCell, RollUp, VersionNames } from './row-cells'
import type { Selection } from './selection'
import { texts } from './texts/texts'
import { TypeMark } from './type-mark'

export interface TreeRowProps {
  row: Row
  /** From 1, among all rows. */
  index: number
  backlog: Backlog
  selection: Selection
  users: readonly User[]
  versions: readonly Version[]
  isTabStop: boolean
  isSelected: boolean
  isEditing: boolean
  editsPoints: boolean
  /** A change of the item is on its way. */
  isSending: boolean
  mayChange: boolean
  /** Where a carried item would go. */
  drop: 'before' | 'after' | 'into' | undefined
  isCarried: boolean
}

function ShownRow(props: TreeRowProps) {
  const { row, index, selection, isTabStop, isSelected, mayChange, drop, isCarried } = props
  const { item, level, hasChildren, isOpen } = row
  const element = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (!element.current || !mayChange || item.isNew) return
    return draggable({ element: element.current, getInitialData: () => ({ key: item.key }) })
  }, [item.key, mayChange, item.isNew])
  return (
    <tr
      ref={element}
      id={`row-${item.key}`}
      data-key={item.key}
      data-drop={drop}
      class={isCarried ? 'carried' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-rowindex={index + 1}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isSelected}
      onFocus={() => {
        selection.current.value = item.key
      }}
    >
      {mayChange && (
        <td class="pick">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={texts.select(item.key)}
            checked={isSelected}
            disabled={item.isNew}
            onChange={() => selection.toggle([item.key])}
          />
        </td>
      )}
      <td class="summary">
        <SummaryCell {...props} />
      </td>
      {mayChange && (
        <td class="add">
          {item.type !== 'userstory' && !item.isNew && (
            <button
              class="btn ghost icon small"
              type="button"
              tabIndex={-1}
              aria-label={texts.addBelow(item.key)}
              title={texts.addBelow(item.key)}
              onClick={() => selection.createIn(item.key)}
            >
              <Icon name="plus" />
            </button>
          )}
        </td>
      )}
      <td class="progress">
        <ProgressBadge progress={item.progress} />
      </td>
      <td class="rolled hide-m">{hasChildren && <RollUp item={item} />}</td>
      <td class="n points">
        <PointsCell {...props} />
      </td>
      <td class="version hide-m">
        <VersionNames item={item} versions={props.versions} />
      </td>
      <td class="n score hide-s">{item.score ? formatNumber(item.score) : <None />}</td>
      <td class="owner hide-s">
        <Owners item={item} users={props.users} />
      </td>
    </tr>
  )
}

export const TreeRow = makePure(ShownRow)

function SummaryCell({
  row: { item, level, hasChildren, isOpen },
  backlog,
  selection,
  isEditing,
  isSending,
}: TreeRowProps) {
  return (
    <div class="tree-cell" data-level={level}>
      {hasChildren ? (
        <button
          class="twist"
          type="button"
          tabIndex={-1}
          aria-label={isOpen ? texts.close(item.key) : texts.open(item.key)}
          onClick={() => setBranch(readBranches(backlog.forest.value), item.key, !isOpen)}
        >
          <Icon name="right" />
        </button>
      ) : (
        <span class="twist" />
      )}
      <TypeMark type={item.type} />
      {!item.isNew && <span class="key">{item.key}</span>}
      <Waiting isSaving={isSending} />
      {item.isNew ? (
        <span class="truncate">{item.summary}</span>
      ) : isEditing ? (
        <EditFields
          item={item}
          hasPoints={!hasChildren}
          onSave={(change) => void backlog.edit(item, change)}
          onClose={() => {
            selection.editing.value = undefined
            selection.focusOn(item.key)
          }}
        />
      ) : (
        <a
          class={level === 1 && hasChildren ? 'quiet truncate strong' : 'quiet truncate'}
          href={BASE + pathOfListed(backlog.product, item)}
          title={item.summary}
          tabIndex={-1}
          draggable={false}
        >
          {item.summary}
        </a>
      )}
    </div>
  )
}
