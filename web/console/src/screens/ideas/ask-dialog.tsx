import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { texts as shared } from '../../texts/texts'

interface AskDialogProps {
  title: string
  /** The button, which names what happens. */
  action: string
  failed: string
  isReady: boolean
  onAct: () => Promise<void>
  onClose: () => void
  children: ComponentChildren
}

/** A question above the page: the choice, what it brings, and one button. */
export function AskDialog({ title, action, failed, isReady, onAct, onClose, children }: AskDialogProps) {
  const [isActing, setActing] = useState(false)
  const [error, setError] = useState<unknown>()
  async function act(event?: Event): Promise<void> {
    event?.preventDefault()
    setActing(true)
    setError(undefined)
    try {
      await onAct()
      onClose()
    } catch (cause) {
      setError(cause)
    } finally {
      setActing(false)
    }
  }
  return (
    <Modal label={title} onClose={onClose}>
      <form onSubmit={act}>
        <header>
          <h2 class="h3">{title}</h2>
        </header>
        <div class="body stack">
          {error !== undefined && <Failure title={failed} error={error} />}
          {children}
        </div>
        <footer>
          <button class="btn ghost" type="button" onClick={onClose}>
            {shared.cancel}
          </button>
          <button class="btn primary" type="submit" disabled={!isReady} aria-busy={isActing}>
            {action}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
