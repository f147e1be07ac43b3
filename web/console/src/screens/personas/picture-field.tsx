import { useState } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { chosenProduct } from '../../state/product'
import type { EditProps } from './heading'
import { isOwnPicture } from './picture'
import { Line } from './properties'
import { sendPicture } from './requests'
import { texts } from './texts/texts'

/** The address of the picture, and a file that becomes the picture. */
export function PictureField(props: EditProps) {
  const { persona, may, save } = props
  const [isSending, setSending] = useState(false)
  const [failed, fail] = useState<{ error: unknown; retry: () => void }>()
  const products = useProducts()
  // The picture of a persona of all products stands among the files of a product.
  const product = persona.product ?? chosenProduct.value ?? products[0]?.externalKey
  function upload(file: File): void {
    if (!product) return
    setSending(true)
    fail(undefined)
    sendPicture(product, file)
      .then((avatar) => save({ avatar }))
      .catch((error: unknown) => fail({ error, retry: () => upload(file) }))
      .finally(() => setSending(false))
  }
  const isElsewhere = persona.avatar !== null && !isOwnPicture(persona.avatar)
  return (
    <>
      <Line field="avatar" hint={isElsewhere ? texts.otherSite : undefined} {...props}>
        {may && product && (
          <label class="btn small upload" aria-busy={isSending}>
            <Icon name="upload" />
            {texts.upload}
            <input
              class="sr"
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
              disabled={isSending}
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? []
                currentTarget.value = ''
                if (file) upload(file)
              }}
            />
          </label>
        )}
      </Line>
      {failed && <Failure title={texts.notUploaded} error={failed.error} onRetry={failed.retry} />}
    </>
  )
}
