import { useMemo, useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { MenuItem } from '../../parts/menu-item'
import { useKeys } from '../../state/keys'
import { showToast } from '../../state/toast'
import { EditDialog } from './edit-dialog'
import { show } from './paths'
import { ReplayDialog } from './replay-dialog'
import { dropListed, readAgain, type Webhook } from './requests'
import { RotateDialog } from './rotate-dialog'
import { texts } from './texts/texts'
import { findRow, goToRow } from './use-list-keys'

interface WebhookActionsProps {
  me: Me
  webhook: Webhook
  onChange: (change: Partial<Webhook>, base?: Webhook) => void
}

const MENU = 'webhook-more'

type Dialog = 'edit' | 'replay' | 'rotate'

async function removeWebhook({ id, name }: Webhook): Promise<void> {
  await client.removeWebhook({ webhookId: id })
  const next = [findRow(1), findRow(-1)].find((other) => other !== id)
  dropListed(id)
  goToRow(next)
  const restore = async () => {
    await client.restoreWebhook({ webhookId: id })
    await readAgain()
    goToRow(id)
  }
  showToast(texts.wasRemoved(name), restore)
}

async function testWebhook(id: number): Promise<void> {
  const delivery = await client.testWebhook({ webhookId: id })
  await readAgain()
  show({ result: 'all', delivery: delivery.id })
}

export function WebhookActions({ me, webhook, onChange }: WebhookActionsProps) {
  const [opened, open] = useState<Dialog>()
  const [failure, setFailure] = useState<{ title: string; error: unknown }>()
  const close = () => open(undefined)
  const isActive = webhook.status === 'active'
  const attempt = (title: string, act: () => Promise<void>) => {
    setFailure(undefined)
    act().catch((error: unknown) => setFailure({ title, error }))
  }
  const test = () => attempt(texts.notTested, () => testWebhook(webhook.id))
  const remove = () => attempt(texts.notRemoved, () => removeWebhook(webhook))
  useKeys(
    useMemo(
      () => [
        { keys: 'e', label: texts.edit, run: () => open('edit') },
        { keys: 'r', label: texts.replay, run: () => open('replay') },
        { keys: 'Backspace', label: texts.remove, run: remove },
        ...(isActive ? [{ keys: 't', label: texts.test, run: test }] : []),
      ],
      [webhook.id, webhook.name, isActive],
    ),
  )
  return (
    <>
      <div class="row push">
        <button
          class="btn small"
          type="button"
          disabled={!isActive}
          title={isActive ? undefined : texts.resumeFirst}
          onClick={test}
        >
          <Icon name="send" />
          {texts.test}
        </button>
        <button class="btn small" type="button" onClick={() => open('replay')}>
          <Icon name="replay" />
          {texts.replayMany}
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
          <MenuItem menu={MENU} icon="edit" text={texts.edit} hotkey="E" onClick={() => open('edit')} />
          {isActive ? (
            <MenuItem menu={MENU} icon="pause" text={texts.pause} onClick={() => onChange({ status: 'paused' })} />
          ) : (
            <MenuItem menu={MENU} icon="resume" text={texts.resume} onClick={() => onChange({ status: 'active' })} />
          )}
          <MenuItem menu={MENU} icon="key" text={texts.rotate} onClick={() => open('rotate')} />
          <hr />
          <MenuItem menu={MENU} icon="remove" text={texts.remove} hotkey="⌫" isDanger onClick={remove} />
        </div>
      </div>
      {failure && <Failure {...failure} />}
      {opened === 'edit' && <EditDialog me={me} webhook={webhook} onChange={onChange} onClose={close} />}
      {opened === 'replay' && <ReplayDialog webhook={webhook} onClose={close} />}
      {opened === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
    </>
  )
}
