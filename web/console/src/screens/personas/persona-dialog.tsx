import { useProducts } from '../../api/products'
import { FormDialog } from '../../parts/form-dialog'
import { chosenProduct } from '../../state/product'
import { type BoardSegment, type NewPersona, sendNewPersona } from './requests'
import { texts } from './texts/texts'

interface PersonaDialogProps {
  segments: readonly BoardSegment[]
  /** Id of the segment that the page shows. */
  segment: string
  onCreate: (key: string) => void
  onClose: () => void
}

function toFields(form: FormData): NewPersona {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    name: text('name'),
    ...(text('occupation') && { occupation: text('occupation') }),
    ...(text('segment') && { boardSegmentId: Number(text('segment')) }),
    ...(text('product') && { product: text('product') }),
  }
}

export function PersonaDialog({ segments, segment, onCreate, onClose }: PersonaDialogProps) {
  const products = useProducts()
  return (
    <FormDialog
      title={texts.create}
      action={texts.createPersona}
      failed={texts.notCreated}
      onClose={onClose}
      onSubmit={async (form) => onCreate(await sendNewPersona(toFields(form)))}
    >
      <label class="field">
        <span class="label">{texts.fields.name}</span>
        <input class="input" name="name" required pattern=".*\S.*" maxLength={200} autofocus />
      </label>
      <label class="field">
        <span class="label">{texts.fields.occupation}</span>
        <input class="input" name="occupation" maxLength={500} />
      </label>
      <label class="field">
        <span class="label">{texts.fields.boardSegmentId}</span>
        <select class="select" name="segment">
          <option value="">{texts.noSegment}</option>
          {segments.map(({ id, name }) => (
            <option key={id} value={id} selected={String(id) === segment}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">{texts.fields.product}</span>
        <select class="select" name="product">
          <option value="">{texts.allProducts}</option>
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
