import { AskDialog } from '../../parts/ask-dialog'
import { showToast } from '../../state/toast'
import { describeScope, type Segment, type Suppression, sendRemoval } from './requests'
import { texts } from './texts/texts'

interface RemoveDialogProps {
  suppression: Suppression
  segments: readonly Segment[]
  onClose: () => void
  onDone: () => void
}

/** A removal is final, so the dialog says what it means. */
export const RemoveDialog = ({ suppression, segments, onClose, onDone }: RemoveDialogProps) => (
  <AskDialog
    title={texts.removeTitle(suppression.email)}
    action={texts.removeAction}
    failed={texts.notRemoved}
    onAct={async () => {
      await sendRemoval(suppression)
      showToast(texts.wasRemoved(suppression.email))
    }}
    onClose={onClose}
    onDone={onDone}
  >
    <p>{texts.removeWarnings[suppression.reason]}</p>
    <p class="muted">{texts.removeMeans(describeScope(suppression, segments))}</p>
  </AskDialog>
)
