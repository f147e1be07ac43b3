import { useState } from 'preact/hooks'
import { AskDialog } from '../../parts/ask-dialog'
import { showToast } from '../../state/toast'
import type { Item } from '../backlog/forest'
import { pathOfItem } from '../backlog/paths'
import { sendNewItem } from '../backlog/requests'
import { texts as backlogTexts } from '../backlog/texts/texts'
import type { ChildType } from './children'
import { readAgain } from './requests'
import { texts } from './texts/texts'

interface ChildDialogProps {
  product: string
  parent: Item
  type: ChildType
  onClose: () => void
}

/** The page of the parent stays, so that a person can add several items. */
export function ChildDialog({ product, parent, type, onClose }: ChildDialogProps) {
  const [summary, setSummary] = useState('')
  return (
    <AskDialog
      title={texts.addChildTo[type](parent.key)}
      action={backlogTexts.createType[type]}
      failed={backlogTexts.failed.create}
      isReady={summary.trim() !== ''}
      reason={backlogTexts.typeSummary}
      onClose={onClose}
      onAct={async () => {
        const key = await sendNewItem(product, { type, summary: summary.trim(), parent })
        readAgain()
        showToast(backlogTexts.created(key), undefined, {
          text: backlogTexts.openItem,
          path: pathOfItem(product, { key }),
        })
      }}
    >
      <div class="field">
        <label for="child-summary">{backlogTexts.summary}</label>
        <input
          class="input"
          id="child-summary"
          required
          maxLength={500}
          autofocus
          value={summary}
          onInput={({ currentTarget: { value } }) => setSummary(value)}
        />
      </div>
    </AskDialog>
  )
}
