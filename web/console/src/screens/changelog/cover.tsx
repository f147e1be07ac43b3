import { useState } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { type Entry, sendCover } from './requests'
import { texts } from './texts/texts'

const SHOWN_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

interface CoverProps {
  entry: Entry
  may: boolean
  save: (change: Partial<Entry>) => void
}

/** The picture above the text. A file belongs to a product, also for an entry of all products. */
export function Cover({ entry: { cover, product }, may, save }: CoverProps) {
  const products = useProducts()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const holder = product ?? products[0]?.externalKey
  async function send(file: File | undefined): Promise<void> {
    if (!file || !holder) return
    setError(undefined)
    setSending(true)
    try {
      save({ cover: await sendCover(holder, file) })
    } catch (cause) {
      setError(cause)
    } finally {
      setSending(false)
    }
  }
  return (
    <>
      {error !== undefined && <Failure title={texts.coverFailed} error={error} />}
      {!may && <span class={cover ? undefined : 'muted'}>{cover ? texts.hasCover : '—'}</span>}
      {may && (
        <label class="btn ghost small" aria-busy={isSending}>
          <Icon name="upload" />
          {cover ? texts.replaceCover : texts.addCover}
          <input
            class="sr"
            type="file"
            accept={SHOWN_TYPES}
            onChange={({ currentTarget }) => {
              void send(currentTarget.files?.[0]).then(() => {
                currentTarget.value = ''
              })
            }}
          />
        </label>
      )}
      {may && cover && (
        <button class="btn ghost small" type="button" onClick={() => save({ cover: null })}>
          <Icon name="x" />
          {texts.removeCover}
        </button>
      )}
    </>
  )
}
