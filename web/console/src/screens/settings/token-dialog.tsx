import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal'
import type { NewKey } from './key-requests'
import { texts } from './texts/texts'

/** The service does not store the token of a secret key: only this dialog shows it. */
export function TokenDialog({ made, onClose }: { made: NewKey; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const title = texts.keys.tokenTitle(made.name)
  const copy = () => {
    void navigator.clipboard.writeText(made.token).then(() => setCopied(true))
  }
  return (
    <Modal label={title}>
      <header>
        <h2 class="h3">{title}</h2>
      </header>
      <div class="body stack">
        <p>{made.kind === 'secret' ? texts.keys.tokenOnce : texts.keys.tokenAgain}</p>
        <div class="field">
          <label for="key-token">{texts.keys.token}</label>
          <textarea
            class="textarea"
            id="key-token"
            rows={4}
            readOnly
            value={made.token}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </div>
        <p class="sm" role="status">
          {isCopied && texts.keys.copied}
        </p>
      </div>
      <footer>
        <button class="btn ghost" type="button" onClick={onClose}>
          {texts.keys.done}
        </button>
        <button class="btn primary" type="button" onClick={copy} autofocus>
          {texts.keys.copy}
        </button>
      </footer>
    </Modal>
  )
}
