import { useProducts } from '../../api/products'
import { FormDialog } from '../../parts/form-dialog'
import { chosenProduct } from '../../state/product'
import { texts as shellTexts } from '../../texts/texts'
import { readAgain, sendNewEntry } from './requests'
import { texts } from './texts/texts'

interface NewEntryDialogProps {
  onCreate: (key: string) => void
  onClose: () => void
}

export function NewEntryDialog({ onCreate, onClose }: NewEntryDialogProps) {
  const products = useProducts()
  return (
    <FormDialog
      title={texts.create}
      action={texts.createDraft}
      failed={texts.notCreated}
      onClose={onClose}
      onSubmit={async (form) => {
        onCreate(await sendNewEntry(String(form.get('title')).trim(), String(form.get('product'))))
        void readAgain()
      }}
    >
      <label class="field">
        <span class="label">{texts.fields.title}</span>
        <input class="input" name="title" required pattern=".*\S.*" maxLength={500} autofocus />
      </label>
      <label class="field">
        <span class="label">{texts.fields.product}</span>
        <select class="select" name="product">
          <option value="">{shellTexts.allProducts}</option>
          {products.map(({ externalKey, name }) => (
            <option key={externalKey} value={externalKey} selected={externalKey === chosenProduct.value}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  )
}
