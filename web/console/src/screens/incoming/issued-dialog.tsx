import { useState } from 'preact/hooks'
import { Modal } from '../../parts/modal'
import type { NewHook } from './requests'
import { texts } from './texts/texts'

/** Closes only by its button: a stray click would lose the address and the secret. */
export function IssuedDialog({ made: { provider, url, secret }, onClose }: { made: NewHook; onClose: () => void }) {
  const [copied, setCopied] = useState('')
  const title = texts.issuedTitle(texts.providers[provider])
  const values = [
    { id: 'hook-url', name: texts.url, value: url },
    ...(secret === null ? [] : [{ id: 'hook-issued-secret', name: texts.secret, value: secret }]),
  ]
  const copy = (name: string, value: string) =>
    void navigator.clipboard.writeText(value).then(() => setCopied(texts.copied(name)))
  return (
    <Modal label={title}>
      <header>
        <h2 class="h3">{title}</h2>
      </header>
      <div class="body stack">
        <p>{secret === null ? texts.issuedHintOpen : texts.issuedHint}</p>
        {values.map(({ id, name, value }, place) => (
          <div key={id} class="field">
            <label for={id}>{name}</label>
            <div class="row">
              <input
                class="input mono"
                id={id}
                readOnly
                value={value}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <button class="btn" type="button" autofocus={place === 0} onClick={() => copy(name, value)}>
                {texts.copy}
                <span class="sr"> {name}</span>
              </button>
            </div>
          </div>
        ))}
        <p class="sm" role="status">
          {copied}
        </p>
      </div>
      <footer>
        <button class="btn primary" type="button" onClick={onClose}>
          {texts.stored}
        </button>
      </footer>
    </Modal>
  )
}
