import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts/texts'
import { Failure } from './failure'
import { Modal } from './modal'

interface AskDialogProps {
  title: string
  /** The button, which names what happens. */
  action: string
  failed: string
  isReady?: boolean
  onAct: () => Promise<void> | void
  onClose: () => void
  /** Runs after the dialog has given the focus back. */
  onDone?: () => void
  children: ComponentChildren
}

/** A question above the page: the choice, what it brings, and one button. */
export function AskDialog({ title, action, failed, isReady = true, onAct, onClose, onDone, children }: AskDialogProps) {
  const [isActing, setActing] = useState(false)
  const [error, setError] = useState<unknown>()
  async function act(event: Event): Promise<void> {
    event.preventDefault()
    setActing(true)
    setError(undefined)
    try {
      await onAct()
      onClose()
      onDone?.()
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
            {texts.cancel}
          </button>
          <button class="btn primary" type="submit" disabled={!isReady || isActing} aria-busy={isActing}>
            {action}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
