import { useState } from 'preact/hooks'
import { client } from '../api/client'
import { maySee, useMe } from '../api/me'
import { useProductList } from '../api/products'
import { queries } from '../api/queries'
import { chooseProduct } from '../state/product'
import { texts } from '../texts/texts'
import { Empty } from './empty'
import { Failure } from './failure'
import { FormDialog } from './form-dialog'
import { Skeleton } from './skeleton'

/** In place of a page of a product: the workspace has no product yet, or the products are loaded. */
export function WithoutProduct() {
  const { data: products, error, refetch } = useProductList()
  const me = useMe().data
  const [isCreating, create] = useState(false)
  if (error && !products) return <Failure title={texts.products.listFailed} error={error} onRetry={() => refetch()} />
  if (!products || !me) return <Skeleton />
  if (products.length) return null
  const may = maySee(me, 'products:write')
  return (
    <>
      <Empty icon="product" title={texts.products.empty} hint={may ? texts.products.hint : texts.products.readOnlyHint}>
        {may && (
          <button class="btn primary" type="button" onClick={() => create(true)}>
            {texts.products.create}
          </button>
        )}
      </Empty>
      {isCreating && <ProductDialog onClose={() => create(false)} />}
    </>
  )
}

const ProductDialog = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={texts.products.create}
    action={texts.products.create}
    failed={texts.products.failed}
    onClose={onClose}
    onSubmit={async (form) => {
      const { externalKey } = await client.createProduct({ body: { name: String(form.get('name')).trim() } })
      await queries.invalidateQueries({ queryKey: ['product'] })
      chooseProduct(externalKey)
    }}
  >
    <label class="field">
      <span class="label">{texts.products.name}</span>
      <input class="input" name="name" required maxLength={200} autocomplete="off" autofocus />
    </label>
  </FormDialog>
)
