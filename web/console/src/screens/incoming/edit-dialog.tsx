import { useState } from 'preact/hooks'
import { findChanges } from '../../api/change'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { type KeyChoice, withKey } from '../webhooks/acting-key'
import { KeyField } from '../webhooks/key-field'
import { HookFields, toBody, toDraft } from './form'
import { type Hook, SCOPES } from './requests'
import { texts } from './texts/texts'

interface EditDialogProps {
  me: Me
  hook: Hook
  onChange: (change: Partial<Hook>, base: Hook) => void
  onClose: () => void
}

export function EditDialog({ me, hook, onChange, onClose }: EditDialogProps) {
  const [base] = useState(hook)
  const [draft, setDraft] = useState(() => toDraft(base))
  const [choice, choose] = useState<KeyChoice>('same')
  const { provider, target } = base
  const stored = toBody(toDraft(base), target.source)
  const { exceptAuthors, ...action } = toBody(draft, target.source)
  const changes = findChanges({ exceptAuthors, ...action }, stored)
  // The service replaces the action, its mapping and its target together.
  const change = { ...action, ...('exceptAuthors' in changes && { exceptAuthors }) } as Partial<Hook>
  const order = { name: texts.keyName(texts.providers[provider]), scopes: SCOPES[draft.action] }
  const save = () => withKey(choice, me, order, async (key) => onChange({ ...change, ...key }, base))
  return (
    <AskDialog
      title={texts.editTitle(texts.providers[provider])}
      action={texts.save}
      failed={texts.notSaved}
      isReady={choice !== 'same' || Object.keys(changes).length > 0}
      onAct={save}
      onClose={onClose}
    >
      <HookFields draft={draft} onChange={setDraft} />
      <KeyField me={me} choice={choice} onChoose={choose} isChange />
    </AskDialog>
  )
}
