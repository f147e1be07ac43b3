import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts/texts'
import { Modal } from './modal'

interface SecretDialogProps {
  title: string
  label: string
  secret: string
  copy: string
  copied: string
  onClose: () => void
  children: ComponentChildren
}

/** The service does not store a secret in a form that it could show again: only this dialog shows it. */
export function SecretDialog({ title, label, secret, copy, copied, onClose, children }: SecretDialogProps) {
  const [isCopied, setCopied] = useState(false)
  const copySecret = () => {
    void navigator.clipboard.writeText(secret).then(() => setCopied(true))
  }
  return (
    <Modal label={title}>
      <header>
        <h2 class="h3">{title}</h2>
      </header>
      <div class="body stack">
        {children}
        <div class="field">
          <label for="secret">{label}</label>
          <textarea
            class="textarea"
            id="secret"
            rows={4}
            readOnly
            value={secret}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </div>
        <p class="sm" role="status">
          {isCopied && copied}
        </p>
      </div>
      <footer>
        <button class="btn ghost" type="button" onClick={onClose}>
          {texts.done}
        </button>
        <button class="btn primary" type="button" onClick={copySecret} autofocus>
          {copy}
        </button>
      </footer>
    </Modal>
  )
}
