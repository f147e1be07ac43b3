import { useEffect, useState } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { FileDrop } from '../../parts/file-drop'
import { Icon } from '../../parts/icon'
import { WithoutProduct } from '../../parts/without-product'
import { place } from '../../state/place'
import { chosenProduct } from '../../state/product'
import { texts } from '../../texts/texts'
import { belongsToProduct, type ImportKind } from './requests'
import type { Wizard } from './use-wizard'

const ACCEPTED = '.csv,.tsv,.txt,.json,.ndjson,.jsonl'

interface FileStepProps {
  wizard: Wizard
  kinds: readonly ImportKind[]
}

export function FileStep({ wizard, kinds }: FileStepProps) {
  const products = useProducts()
  const asked = kinds.find((one) => one === place.value.query.get('kind'))
  const [kind, setKind] = useState(wizard.source?.kind ?? asked ?? kinds[0] ?? 'backlog')
  const [picked, pick] = useState(wizard.source?.product ?? chosenProduct.value)
  const product = products.find(({ externalKey }) => externalKey === picked) ?? products[0]
  const needsProduct = belongsToProduct(kind)
  const isReady = !needsProduct || product !== undefined
  const [file, choose] = useState<File>()
  const isBusy = wizard.isChecking || file !== undefined
  // A file may be chosen before the products are there.
  useEffect(() => {
    if (!file || !isReady) return
    choose(undefined)
    void wizard.start(kind, product?.externalKey ?? null, file)
  }, [file, isReady])
  return (
    <>
      <fieldset class="kinds">
        <legend class="h3">{texts.imports.chooseKind}</legend>
        {kinds.map((name) => (
          <label key={name} class="card pad check">
            <input type="radio" name="kind" value={name} checked={kind === name} onChange={() => setKind(name)} />
            <span>
              <span class="b">{texts.imports.kinds[name]}</span>
              <span class="block sm muted">{texts.imports.kindHints[name]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {needsProduct && products.length > 0 && (
        <div class="field narrow-field">
          <label for="target-product">{texts.imports.chooseProduct}</label>
          <select
            class="select"
            id="target-product"
            aria-describedby="product-hint"
            value={product?.externalKey}
            onChange={(event) => pick(event.currentTarget.value)}
          >
            {products.map(({ externalKey, name }) => (
              <option key={externalKey} value={externalKey}>
                {name}
              </option>
            ))}
          </select>
          <p class="hint" id="product-hint">
            {texts.imports.productHint}
          </p>
        </div>
      )}
      {needsProduct && products.length === 0 && <WithoutProduct />}
      <FileDrop class="drop-zone" accept={ACCEPTED} isDisabled={isBusy} onFile={choose}>
        <Icon name="drop" />
        <span class="b">{texts.imports.drop}</span>
        <span class="sm muted">{texts.imports.dropHint}</span>
        <span class="btn primary" aria-busy={isBusy}>
          {isBusy ? texts.imports.reading : texts.imports.chooseFile}
        </span>
      </FileDrop>
    </>
  )
}
