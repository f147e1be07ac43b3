import { useRef, useState } from 'preact/hooks'
import { Modal } from '../../parts/modal'
import { forgetSecret } from './secret'
import { texts } from './texts/texts'

/** Closes only by its button: a stray click would lose the secret. */
export function SecretDialog({ name, secret }: { name: string; secret: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    field.current?.select()
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => field.current?.focus(),
    )
  }
  return (
    <Modal label={texts.secretOf(name)}>
      <header>
        <h2 class="h3">{texts.secretOf(name)}</h2>
      </header>
      <div class="body stack">
        <div class="field">
          <label for="secret">{texts.secret}</label>
          <div class="row">
            <input class="input mono" id="secret" ref={field} readOnly value={secret} aria-describedby="secret-hint" />
            <button class="btn" type="button" onClick={copy} autofocus>
              {texts.copy}
            </button>
          </div>
          <p class="hint" id="secret-hint">
            {texts.secretHint}
          </p>
        </div>
        <p class="sm" role="status">
          {isCopied && texts.copied}
        </p>
      </div>
      <footer>
        <button class="btn primary" type="button" onClick={forgetSecret}>
          {texts.secretStored}
        </button>
      </footer>
    </Modal>
  )
}
