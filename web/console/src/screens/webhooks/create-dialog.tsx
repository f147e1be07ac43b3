import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { firstChoice, keyOfNew, READ_SCOPES } from './acting-key'
import { KeyField } from './key-field'
import { select } from './paths'
import { readAgain } from './requests'
import { showSecret } from './secret'
import { texts } from './texts/texts'
import { EMPTY_DRAFT, nameOfKey, toBody, WebhookFields } from './webhook-form'

export function CreateDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [choice, choose] = useState(() => firstChoice(me))
  async function create(): Promise<void> {
    const order = { name: nameOfKey(draft), scopes: READ_SCOPES }
    const webhook = await client.createWebhook({ body: { ...toBody(draft), ...keyOfNew(choice, me, order) } })
    await readAgain()
    select(webhook.id)
    showSecret(webhook)
  }
  return (
    <AskDialog
      title={texts.createTitle}
      action={texts.createAction}
      failed={texts.notCreated}
      isReady={draft.url.trim() !== ''}
      onAct={create}
      onClose={onClose}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
      <KeyField me={me} choice={choice} onChoose={choose} />
    </AskDialog>
  )
}
