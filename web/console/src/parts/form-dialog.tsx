import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts/texts'
import { Failure } from './failure'
import { Modal } from './modal'

/** Answered by `onSubmit` if the form asks for more, and stays. */
export const STAYS_OPEN = 'stays open'

interface FormDialogProps {
  title: string
  /** The button, which names what happens. */
  action: string
  failed: string
  /** False while something that the action needs is missing. */
  isReady?: boolean
  /** What is missing, if no required field is empty. */
  reason?: string | undefined
  /** Nobody can undo the action. */
  isDanger?: boolean
  onSubmit: (form: FormData) => Promise<unknown>
  onClose: () => void
  /** Runs after the dialog has given the focus back. */
  onDone?: () => void
  children: ComponentChildren
}

const REASON = 'dialog-reason'

const isEmpty = (field: Element): field is HTMLInputElement =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
  field.required &&
  (field.validity.valueMissing || field.value.trim() === '')

/** The label of the first empty field that the form requires. */
function findEmptyField(form: HTMLFormElement | null): string | undefined {
  const field = [...(form?.elements ?? [])].find(isEmpty)
  const label = field?.labels?.[0]
  return field && ((label?.querySelector('.label') ?? label)?.textContent ?? field.ariaLabel ?? '').trim()
}

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
  const shownForm = useRef<HTMLFormElement>(null)
  const [emptyField, setEmptyField] = useState<string>()
  const lookForEmptyField = () => setEmptyField(findEmptyField(shownForm.current))
  // The fields may change with every render.
  useEffect(lookForEmptyField)
  const missing = (isReady ? undefined : reason) ?? (emptyField && texts.fillIn(emptyField))
  async function submit(form: FormData): Promise<void> {
    setSending(true)
    setError(undefined)
    try {
      const answer = await on.onSubmit(form)
      if (answer === STAYS_OPEN) return setSending(false)
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
        ref={shownForm}
        onInput={lookForEmptyField}
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
          {missing && (
            <p class="sm muted grow" id={REASON}>
              {missing}
            </p>
          )}
          <button class="btn" type="button" onClick={on.onClose}>
            {texts.cancel}
          </button>
          <button
            class={isDanger ? 'btn primary danger' : 'btn primary'}
            type="submit"
            aria-busy={isSending}
            disabled={!isReady || emptyField !== undefined || isSending}
            {...(missing && { 'aria-describedby': REASON })}
          >
            {action}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
