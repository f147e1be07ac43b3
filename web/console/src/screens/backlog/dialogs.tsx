import { nameOf, useUsers } from '../../api/users'
import type { Backlog } from './backlog-state'
import { ChooserDialog } from './chooser'
import { CreateDialog } from './create-dialog'
import type { Item } from './forest'
import { MoveDialog } from './move-dialog'
import { moveWithUndo } from './move-with-undo'
import { labelOfProgress, PROGRESSES } from './progress-badge'
import { focusNext, sendAskedRemoval } from './removal'
import { RemoveDialog } from './remove-dialog'
import { useTags, useVersions } from './requests'
import type { Selection } from './selection'
import { texts } from './texts/texts'

interface DialogsProps {
  backlog: Backlog
  selection: Selection
}

interface TargetProps extends DialogsProps {
  items: readonly Item[]
  close: () => void
}

/** The open dialog, for the selected rows or the current row. */
export function Dialogs({ backlog, selection }: DialogsProps) {
  const open = selection.chooser.value
  const asked = selection.removal.value
  const items = selection
    .targets()
    .flatMap((key) => backlog.forest.value?.items.get(key) ?? [])
    .filter(({ isNew }) => !isNew)
  const close = () => {
    selection.chooser.value = undefined
    selection.parent.value = undefined
  }
  const props = { backlog, selection, items, close }
  const forest = backlog.forest.value
  const [first, ...others] = items
  if (asked)
    return (
      <RemoveDialog
        {...asked}
        onRemove={(keepsBelow) => sendAskedRemoval(backlog, selection, asked, keepsBelow)}
        onDone={() => focusNext(backlog, selection, asked)}
        onClose={() => {
          selection.removal.value = undefined
        }}
      />
    )
  if (open === 'create') return <CreateDialog {...props} />
  if (!open || !first || !forest) return null
  if (open === 'parent')
    return (
      <MoveDialog
        forest={forest}
        items={[first, ...others]}
        onMove={(place) => {
          if (others.length) void backlog.moveMany(items, forest.items.get(place.parent))
          else moveWithUndo(backlog, first, place)
        }}
        onClose={close}
        onDone={() => selection.focusOn(first.key)}
      />
    )
  if (open === 'progress') return <ProgressDialog {...props} />
  if (open === 'owner') return <OwnerDialog {...props} />
  if (open === 'tag') return <TagDialog {...props} />
  return open === 'version' ? <VersionDialog {...props} /> : null
}

const hintOf = (items: readonly Item[]): string =>
  items.length === 1 ? `${items[0]?.key} ${items[0]?.summary}` : texts.selected(items.length)

const haveAll = (items: readonly Item[], has: (item: Item) => boolean) => items.every(has)

const ProgressDialog = ({ backlog, items, close }: TargetProps) => (
  <ChooserDialog
    title={texts.progress}
    hint={hintOf(items)}
    empty=""
    choices={PROGRESSES.map((id) => ({
      id,
      text: labelOfProgress(id),
      isChosen: haveAll(items, ({ progress }) => progress === id),
    }))}
    onChoose={(progress) => {
      void backlog.editMany(items, () => ({ progress }))
      close()
    }}
    onClose={close}
  />
)

const NOBODY = '0'

function OwnerDialog({ backlog, items, close }: TargetProps) {
  const users = useUsers()
  const choices = [
    { id: NOBODY, text: texts.nobody, isChosen: haveAll(items, ({ owners }) => !owners.length) },
    ...users.map((user) => ({
      id: String(user.id),
      text: nameOf(user),
      isChosen: haveAll(items, ({ owners }) => owners.includes(user.id)),
    })),
  ]
  return (
    <ChooserDialog
      title={texts.owner}
      hint={hintOf(items)}
      empty=""
      choices={choices}
      onChoose={(id) => {
        void backlog.editMany(items, () => ({ owners: id === NOBODY ? [] : [Number(id)] }))
        close()
      }}
      onClose={close}
    />
  )
}

function TagDialog({ backlog, items, close }: TargetProps) {
  const names = useTags(backlog.product)
  const choices = names.map((name) => ({
    id: name,
    text: name,
    isChosen: haveAll(items, ({ tags }) => tags.includes(name)),
  }))
  return (
    <ChooserDialog
      title={texts.tag}
      hint={hintOf(items)}
      empty={texts.noTags}
      choices={choices}
      onChoose={(name) => {
        const isTaken = haveAll(items, ({ tags }) => tags.includes(name))
        void backlog.editMany(items, ({ tags }) => ({
          tags: isTaken ? tags.filter((tag) => tag !== name) : [...new Set([...tags, name])],
        }))
        close()
      }}
      onClose={close}
    />
  )
}

/** A version that holds all items lets go of the items. */
function VersionDialog({ backlog, items, close }: TargetProps) {
  const versions = useVersions(backlog.product).filter(({ status }) => status === 'planned' || status === 'in-progress')
  const areIn = (version: string) => haveAll(items, (item) => item.versions.includes(version))
  return (
    <ChooserDialog
      title={texts.version}
      hint={`${hintOf(items)}. ${texts.versionHint}`}
      empty={texts.noVersions}
      choices={versions.map(({ externalKey, name }) => ({ id: externalKey, text: name, isChosen: areIn(externalKey) }))}
      onChoose={(version) => {
        const keys = items.map(({ key }) => key)
        const { name = version } = versions.find(({ externalKey }) => externalKey === version) ?? {}
        void backlog.putIntoVersion(keys, { key: version, name }, !areIn(version))
        close()
      }}
      onClose={close}
    />
  )
}
