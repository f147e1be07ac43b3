import { useState } from 'preact/hooks'
import type { Versioned } from '../../api/change'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { type KeyChoice, withKey } from '../webhooks/acting-key'
import { KeyField } from '../webhooks/key-field'
import { HookFields, toBody, toDraft } from './form'
import { type Hook, readAgain, SCOPES, sendChange } from './requests'
import { texts } from './texts/texts'

interface EditDialogProps {
  me: Me
  current: Versioned<Hook>
  onClose: () => void
}

/** Somebody else's change since the dialog was opened is a failure, which names the way out. */
export function EditDialog({ me, current, onClose }: EditDialogProps) {
  const [base] = useState(current)
  const [draft, setDraft] = useState(() => toDraft(base.record))
  const [choice, choose] = useState<KeyChoice>('same')
  const { provider, target } = base.record
  async function save(): Promise<void> {
    const order = { name: texts.keyName(texts.providers[provider]), scopes: SCOPES[draft.action] }
    const body = toBody(draft, target.source)
    await withKey(choice, me, order, (key) => sendChange(base, { ...body, ...key }))
    await readAgain()
  }
  return (
    <AskDialog
      title={texts.editTitle(texts.providers[provider])}
      action={texts.save}
      failed={texts.notSaved}
      onAct={save}
      onClose={onClose}
    >
      <HookFields draft={draft} onChange={setDraft} />
      <KeyField me={me} choice={choice} onChoose={choose} isChange />
    </AskDialog>
  )
}
