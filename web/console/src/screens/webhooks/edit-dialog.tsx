import { useState } from 'preact/hooks'
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

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)

export function EditDialog({ me, webhook, onChange, onClose }: EditDialogProps) {
  const [base] = useState(webhook)
  const [draft, setDraft] = useState(() => toDraft(webhook))
  const [choice, choose] = useState<KeyChoice>('same')
  const stored = toBody(toDraft(base))
  const changes = Object.fromEntries(
    Object.entries(toBody(draft)).filter(([name, value]) => differs(value, stored[name as keyof typeof stored])),
  ) as Partial<Webhook>
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
