import type { Backlog } from './backlog-state'
import { startRemoval } from './removal'
import type { Chooser, Selection } from './selection'
import { texts } from './texts/texts'

/** The keys that change items. `listKeys` answers the keys of the shown items in their order. */
export function listWriteKeys(backlog: Backlog, selection: Selection, listKeys: () => readonly string[]) {
  const choose = (chooser: Chooser) => () => {
    if (chooser === 'create' || selection.targets().length) selection.chooser.value = chooser
  }
  const storedKey = () => {
    const key = selection.current.value
    return key === undefined || backlog.forest.value?.items.get(key)?.isNew ? undefined : key
  }
  const remove = () => void startRemoval(backlog, selection, listKeys())
  return [
    { keys: 'c', label: texts.keys.create, run: choose('create') },
    {
      keys: 'e',
      label: texts.keys.edit,
      run: () => {
        selection.editing.value = storedKey()
      },
    },
    {
      keys: 'x',
      label: texts.keys.select,
      run: () => {
        const key = storedKey()
        if (key !== undefined) selection.toggle([key])
      },
    },
    { keys: 'shift+ArrowDown', label: texts.keys.extend, run: () => selection.step(listKeys(), 1, true) },
    { keys: 'shift+ArrowUp', label: texts.keys.extend, run: () => selection.step(listKeys(), -1, true) },
    { keys: 's', label: texts.keys.progress, run: choose('progress') },
    { keys: 'o', label: texts.keys.owner, run: choose('owner') },
    { keys: 't', label: texts.keys.tag, run: choose('tag') },
    { keys: 'v', label: texts.keys.version, run: choose('version') },
    { keys: 'm', label: texts.keys.move, run: choose('parent') },
    { keys: 'Backspace', label: texts.keys.remove, run: remove },
    { keys: 'Delete', label: texts.keys.remove, run: remove },
  ]
}
