import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { sendLogo } from './requests'
import { texts } from './texts/texts'

interface LogoFieldProps {
  field: 'logo' | 'darkLogo'
  isChosen: boolean
  /** Path of the picture, if the service can show it. */
  path: string | undefined
  /** The product that stores a new file. */
  product: string | undefined
  may: boolean
  onSent: (id: number, path: string) => void
  onRemove: () => void
}

export function LogoField({ field, isChosen, path, product, may, onSent, onRemove }: LogoFieldProps) {
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const title = texts.look[field]
  async function send(file: File | undefined): Promise<void> {
    if (!file || !product) return
    setError(undefined)
    setSending(true)
    try {
      const id = await sendLogo(product, file)
      onSent(id, `/api/initiatives/${encodeURIComponent(product)}/assets/${id}/download`)
    } catch (cause) {
      setError(cause)
    } finally {
      setSending(false)
    }
  }
  return (
    <div class="field">
      <span class="label">{title}</span>
      {error !== undefined && <Failure title={texts.look.uploadFailed} error={error} />}
      <div class="row wrap">
        {path && <img class="logo-thumb" src={path} alt="" width="32" height="32" />}
        {may && product && (
          <label class="btn small" aria-busy={isSending}>
            <Icon name="upload" />
            <span aria-hidden="true">{texts.look.chooseShort}</span>
            <input
              class="sr"
              type="file"
              accept="image/svg+xml,image/png"
              aria-label={texts.look.choose(title)}
              onChange={({ currentTarget }) => {
                void send(currentTarget.files?.[0]).then(() => {
                  currentTarget.value = ''
                })
              }}
            />
          </label>
        )}
        {may && !product && <span class="sm muted">{texts.look.noProduct}</span>}
        {may && isChosen && (
          <button class="btn small ghost icon" type="button" aria-label={texts.look.remove(title)} onClick={onRemove}>
            <Icon name="x" />
          </button>
        )}
        <span class="sm muted">
          {isChosen ? texts.look.chosen : field === 'logo' ? texts.look.none : texts.look.darkLogoHint}
        </span>
      </div>
      {may && <p class="hint">{texts.look.logoHint}</p>}
    </div>
  )
}
