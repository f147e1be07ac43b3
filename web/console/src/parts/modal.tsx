import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface ModalProps {
  label: string
  className?: string
  /** Absent if the dialog cannot be closed without an answer. */
  onClose?: () => void
  children: ComponentChildren
}

/** A dialog above the page. The browser keeps the focus inside, and gives it back. */
export function Modal({ label, className, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => before instanceof HTMLElement && before.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      {...(onClose && { closedby: 'any' })}
    >
      {children}
    </dialog>
  )
}
