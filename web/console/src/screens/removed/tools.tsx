import type { Product } from '../../api/products'
import { chooseProduct } from '../../state/product'
import { texts as shared } from '../../texts/texts'
import { GROUPS, type Kind } from './kinds'
import { go, PERIODS, type Period } from './place'
import { texts } from './texts/texts'

interface ToolsProps {
  kinds: readonly Kind[]
  kind: Kind
  product: string | null | undefined
  products: readonly Product[]
  period: Period
}

/** The kind of record, its product and the time of the removal. The address holds them. */
export function Tools({ kinds, kind, product, products, period }: ToolsProps) {
  const goToProduct = (key: string) => {
    chooseProduct(key || null)
    go(kind.id, period, key)
  }
  return (
    <div class="removed-tools">
      <label class="field">
        <span>{texts.kind}</span>
        <select
          class="select"
          value={kind.id}
          onChange={({ currentTarget: { value } }) => go(value, period, kind.product === 'path' ? product : null)}
        >
          {Object.entries(GROUPS).map(([group, all]) => {
            const shown = all.filter((one) => kinds.includes(one))
            return shown.length ? (
              <optgroup key={group} label={texts.groups[group as keyof typeof texts.groups]}>
                {shown.map(({ id }) => (
                  <option key={id} value={id}>
                    {texts.kinds[id]}
                  </option>
                ))}
              </optgroup>
            ) : null
          })}
        </select>
      </label>
      {kind.product !== 'none' && (
        <label class="field">
          <span>{texts.product}</span>
          <select class="select" value={product ?? ''} onChange={({ currentTarget: { value } }) => goToProduct(value)}>
            {kind.product === 'filter' && <option value="">{shared.allProducts}</option>}
            {products.map(({ externalKey, name }) => (
              <option key={externalKey} value={externalKey}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{texts.period}</span>
        <select
          class="select"
          value={period}
          onChange={({ currentTarget: { value } }) =>
            go(kind.id, value as Period, kind.product === 'none' ? null : product)
          }
        >
          {(Object.keys(PERIODS) as Period[]).map((one) => (
            <option key={one} value={one}>
              {texts.periods[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
