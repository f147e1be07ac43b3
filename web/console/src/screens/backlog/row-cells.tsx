import { nameOf, type User } from '../../api/users'
import { Avatar } from '../../parts/avatar'
import { formatNumber } from '../../texts/formats'
import { EditFields } from './edit-fields'
import type { Item } from './forest'
import type { Version } from './requests'
import { texts } from './texts/texts'
import type { TreeRowProps } from './tree-row'

/** The sum of the items below, or a value that a click edits. */
export function PointsCell({ row: { item, hasChildren }, backlog, selection, mayChange, editsPoints }: TreeRowProps) {
  const { total, done } = item.points
  if (hasChildren)
    return (
      <span>
        <span class="faint">{formatNumber(done)} / </span>
        {formatNumber(total)}
      </span>
    )
  const shown = total ? formatNumber(total) : <None />
  if (!mayChange || item.isNew) return shown
  if (editsPoints)
    return (
      <EditFields
        item={item}
        hasTitle={false}
        hasPoints
        onSave={(change) => void backlog.edit(item, change)}
        onClose={() => {
          selection.editedPoints.value = undefined
          selection.focusOn(item.key)
        }}
      />
    )
  return (
    <button
      class="value"
      type="button"
      tabIndex={-1}
      title={texts.editPoints(item.key)}
      onClick={() => {
        selection.current.value = item.key
        selection.editedPoints.value = item.key
      }}
    >
      {shown}
    </button>
  )
}

export const None = () => (
  <span class="faint" aria-hidden="true">
    —
  </span>
)

export const RollUp = ({ item: { key, percentage } }: { item: Item }) => (
  <div class="row">
    <progress max={100} value={percentage} aria-label={texts.percentDone(key, percentage)} />
    <span class="xs muted num pc">{percentage}%</span>
  </div>
)

export function Owners({ item: { owners }, users }: { item: Item; users: readonly User[] }) {
  if (!owners.length) return <None />
  const names = owners.map((id) => users.find((user) => user.id === id)).map((user) => (user ? nameOf(user) : '?'))
  return (
    <span class="row" title={names.join(', ')}>
      <Avatar name={names[0] ?? ''} />
      <span class="sr">{names.join(', ')}</span>
      {owners.length > 1 && <span class="xs muted">+{owners.length - 1}</span>}
    </span>
  )
}

export function VersionNames({ item, versions }: { item: Item; versions: readonly Version[] }) {
  if (!item.versions.length) return <None />
  const names = item.versions.map((key) => versions.find(({ externalKey }) => externalKey === key)?.name ?? key)
  return (
    <span class="truncate block" title={names.join(', ')}>
      {names.join(', ')}
    </span>
  )
}
