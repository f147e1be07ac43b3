import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts/texts'
import { Failure } from './failure'
import { Modal } from './modal'

interface FormDialogProps {
  title: string
  /** The button, which names what happens. */
  action: string
  failed: string
  /** False while something that the action needs is missing. */
  isReady?: boolean
  /** What is missing. */
  reason?: string | undefined
  /** Nobody can undo the action. */
  isDanger?: boolean
  onSubmit: (form: FormData) => Promise<void>
  onClose: () => void
  /** Runs after the dialog has given the focus back. */
  onDone?: () => void
  children: ComponentChildren
}

const REASON = 'dialog-reason'

/** A form above the page, which closes when the service has answered. */
export function FormDialog({
  title,
  action,
  failed,
  isReady = true,
  reason,
  isDanger = false,
  children,
  ...on
}: FormDialogProps) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  async function submit(form: FormData): Promise<void> {
    setSending(true)
    setError(undefined)
    try {
      await on.onSubmit(form)
      on.onClose()
      on.onDone?.()
    } catch (cause) {
      setError(cause)
      setSending(false)
    }
  }
  return (
    <Modal label={title} onClose={on.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(new FormData(event.currentTarget))
        }}
      >
        <header>
          <h2 class="h3">{title}</h2>
        </header>
        <div class="body stack">
          {error !== undefined && <Failure title={failed} error={error} />}
          {children}
        </div>
        <footer>
          {!isReady && reason && (
            <p class="sm muted grow" id={REASON}>
              {reason}
            </p>
          )}
          <button class="btn" type="button" onClick={on.onClose}>
            {texts.cancel}
          </button>
          <button
            class={isDanger ? 'btn primary danger' : 'btn primary'}
            type="submit"
            aria-busy={isSending}
            disabled={!isReady || isSending}
            aria-describedby={!isReady && reason ? REASON : undefined}
          >
            {action}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
