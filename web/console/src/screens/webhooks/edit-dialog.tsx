import { useState } from 'preact/hooks'
import { findChanges } from '../../api/change'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { type KeyChoice, READ_SCOPES, withKey } from './acting-key'
import { KeyField } from './key-field'
import type { Webhook } from './requests'
import { texts } from './texts/texts'
import { nameOfKey, toBody, toDraft, WebhookFields } from './webhook-form'

interface EditDialogProps {
  me: Me
  webhook: Webhook
  onChange: (change: Partial<Webhook>, base: Webhook) => void
  onClose: () => void
}

export function EditDialog({ me, webhook, onChange, onClose }: EditDialogProps) {
  const [base] = useState(webhook)
  const [draft, setDraft] = useState(() => toDraft(webhook))
  const [choice, choose] = useState<KeyChoice>('same')
  const stored = toBody(toDraft(base))
  const changes = findChanges(toBody(draft), stored) as Partial<Webhook>
  const save = () =>
    withKey(choice, me, { name: nameOfKey(draft), scopes: READ_SCOPES }, async (key) =>
      onChange({ ...changes, ...key }, base),
    )
  return (
    <AskDialog
      title={texts.editTitle(base.name)}
      action={texts.save}
      failed={texts.notSaved}
      isReady={choice !== 'same' || Object.keys(changes).length > 0}
      onAct={save}
      onClose={onClose}
    >
      <WebhookFields draft={draft} onChange={setDraft} />
      <KeyField me={me} choice={choice} onChoose={choose} isChange />
    </AskDialog>
  )
}
