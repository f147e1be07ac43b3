import type { ComponentChildren } from 'preact'
import { FormDialog } from './form-dialog'

interface AskDialogProps {
  title: string
  /** The button, which names what happens. */
  action: string
  failed: string
  isReady?: boolean
  /** What is missing, if no required field is empty. */
  reason?: string | undefined
  /** Nobody can undo the action. */
  isDanger?: boolean
  onAct: () => Promise<void> | void
  onClose: () => void
  /** Runs after the dialog has given the focus back. */
  onDone?: () => void
  children: ComponentChildren
}

/** A question above the page: the choice, what it brings, and one button. */
export const AskDialog = ({ onAct, ...dialog }: AskDialogProps) => (
  <FormDialog {...dialog} onSubmit={async () => onAct()} />
)
