import { useMemo, useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { Icon } from '../../parts/icon'
import { MenuItem } from '../../parts/menu-item'
import { useKeys } from '../../state/keys'
import { EditDialog } from './edit-dialog'
import { type Hook, type NewHook, readAgain } from './requests'
import { texts } from './texts/texts'

interface HookActionsProps {
  me: Me
  hook: Hook
  onChange: (change: Partial<Hook>, base: Hook) => void
  onMade: (made: NewHook) => void
  onRemove: () => void
}

const MENU = 'hook-more'

export function HookActions({ me, hook, onChange, onMade, onRemove }: HookActionsProps) {
  const [opened, open] = useState<'edit' | 'rotate'>()
  const { id, provider } = hook
  useKeys(
    useMemo(
      () => [
        { keys: 'e', label: texts.edit, run: () => open('edit') },
        { keys: 'Backspace', label: texts.remove, run: onRemove },
      ],
      [id],
    ),
  )
  async function rotate(): Promise<void> {
    onMade(await client.rotateIncomingWebhookSecret({ incomingWebhookId: id }))
    await readAgain()
  }
  return (
    <div class="row push">
      <button class="btn small" type="button" onClick={() => open('edit')}>
        <Icon name="pencil" />
        {texts.edit}
      </button>
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
        <MenuItem menu={MENU} icon="key" text={texts.rotate} onClick={() => open('rotate')} />
        <hr />
        <MenuItem menu={MENU} icon="remove" text={texts.remove} hotkey="⌫" isDanger onClick={onRemove} />
      </div>
      {opened === 'edit' && <EditDialog {...{ me, hook, onChange }} onClose={() => open(undefined)} />}
      {opened === 'rotate' && (
        <AskDialog
          title={texts.rotateTitle(texts.providers[provider])}
          action={texts.rotate}
          failed={texts.notRotated}
          onAct={rotate}
          onClose={() => open(undefined)}
        >
          <p>{texts.rotateHint}</p>
        </AskDialog>
      )}
    </div>
  )
}
