import { useProducts } from '../../api/products'
import { texts as shellTexts } from '../../texts/texts'
import { Pair } from '../item/pair'
import { Cover } from './cover'
import { Labels } from './labels'
import { LinkedIdeas, LinkedVersions } from './linked'
import type { Entry, Preview } from './requests'
import { texts } from './texts/texts'

interface PropertiesProps {
  entry: Entry
  preview: Preview | undefined
  knownLabels: readonly string[]
  may: boolean
  save: (change: Partial<Entry>) => void
}

/** What readers see beside the text, and who reads it. */
export function Properties({ entry, preview, knownLabels, may, save }: PropertiesProps) {
  return (
    <section class="stack tight" aria-labelledby="entry-properties">
      <h3 id="entry-properties">{texts.properties}</h3>
      <dl class="dl properties">
        <Pair name={texts.fields.labels}>
          <Labels labels={entry.labels} known={knownLabels} may={may} onChange={(labels) => save({ labels })} />
        </Pair>
        <Pair name={texts.fields.product} id="entry-product">
          <Product {...{ entry, may, save }} />
        </Pair>
        <Pair name={texts.fields.cover}>
          <Cover {...{ entry, may, save }} />
        </Pair>
        <Pair name={texts.fields.ideas}>
          <LinkedIdeas {...{ entry, preview, may, save }} />
        </Pair>
        <Pair name={texts.fields.versions}>
          <LinkedVersions {...{ entry, preview, may, save }} />
        </Pair>
      </dl>
    </section>
  )
}

function Product({ entry: { product }, may, save }: Pick<PropertiesProps, 'entry' | 'may' | 'save'>) {
  const products = useProducts()
  return (
    <select
      class="select small"
      id="entry-product"
      disabled={!may}
      value={product ?? ''}
      onChange={({ currentTarget }) => save({ product: currentTarget.value || null })}
    >
      <option value="">{shellTexts.allProducts}</option>
      {products.map(({ externalKey, name }) => (
        <option key={externalKey} value={externalKey}>
          {name}
        </option>
      ))}
    </select>
  )
}
