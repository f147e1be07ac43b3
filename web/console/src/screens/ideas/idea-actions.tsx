import { useMemo, useState } from 'preact/hooks'
import { type Me, mayChange } from '../../api/me'
import { Failure } from '../../parts/failure'
import { Icon, type IconName } from '../../parts/icon'
import { MenuItem } from '../../parts/menu-item'
import { useKeys } from '../../state/keys'
import { removeIdea, unlinkIdea } from './acts'
import type { IdeaList } from './idea-list'
import { MergeDialog } from './merge-dialog'
import { picked } from './picked'
import { PromoteDialog } from './promote-dialog'
import type { Idea } from './requests'
import { texts } from './texts/texts'

interface IdeaActionsProps {
  me: Me
  idea: Idea
  list: IdeaList
  onChange: (change: Partial<Idea>) => void
}

const MENU = 'idea-more'

type Dialog = 'merge' | 'promote' | 'link'

export function IdeaActions({ me, idea, list, onChange }: IdeaActionsProps) {
  const [opened, open] = useState<Dialog>()
  const [error, setError] = useState<unknown>()
  const close = () => open(undefined)
  const isLinked = idea.work_item_external_id !== null
  const mayPromote = mayChange(me, 'backlog') && !isLinked
  const hasKeys = picked.value.size === 0
  const attempt = (act: () => Promise<void>) => {
    setError(undefined)
    act().catch(setError)
  }
  const remove = () => void removeIdea(list, idea.external_key)
  useKeys(
    useMemo(
      () =>
        hasKeys
          ? [
              { keys: 'm', label: texts.merge, run: () => open('merge') },
              { keys: 'Backspace', label: texts.remove, run: remove },
              ...(mayPromote ? [{ keys: 'p', label: texts.promote, run: () => open('promote') }] : []),
              ...(mayPromote ? [{ keys: 'l', label: texts.link, run: () => open('link') }] : []),
            ]
          : [],
      [idea.external_key, mayPromote, list, hasKeys],
    ),
  )
  return (
    <>
      <div class="row push">
        <ActionButton icon="merge" text={texts.merge} onClick={() => open('merge')} />
        {mayPromote && <ActionButton icon="promote" text={texts.promote} onClick={() => open('promote')} />}
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
          {mayPromote && <MenuItem menu={MENU} icon="link" text={texts.link} hotkey="L" onClick={() => open('link')} />}
          {isLinked && mayChange(me, 'backlog') && (
            <MenuItem
              menu={MENU}
              icon="unlink"
              text={texts.unlink(idea.work_item_external_id ?? '')}
              onClick={() => attempt(() => unlinkIdea(idea.external_key))}
            />
          )}
          <MenuItem
            menu={MENU}
            icon="pin"
            text={idea.is_pinned ? texts.unpin : texts.pin}
            onClick={() => onChange({ is_pinned: idea.is_pinned ? null : true })}
          />
          <hr />
          <MenuItem menu={MENU} icon="remove" text={texts.remove} hotkey="⌫" isDanger onClick={remove} />
        </div>
      </div>
      {error !== undefined && <Failure title={texts.notDone} error={error} />}
      {opened === 'merge' && <MergeDialog idea={idea} list={list} onClose={close} />}
      {(opened === 'promote' || opened === 'link') && (
        <PromoteDialog idea={idea} links={opened === 'link'} onClose={close} />
      )}
    </>
  )
}

interface ActionProps {
  icon: IconName
  text: string
  onClick: () => void
}

const ActionButton = ({ icon, text, onClick }: ActionProps) => (
  <button class="btn small" type="button" onClick={onClick}>
    <Icon name={icon} />
    {text}
  </button>
)
