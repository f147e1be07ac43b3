import { useEffect, useRef } from 'preact/hooks'
import { goTo, place } from '../state/place'
import { chooseProduct, chosenProduct } from '../state/product'
import { useProducts } from './products'

/** The product in the address of a screen, whose `path` may have a query, or the chosen product, or the first. Undefined while the products are loaded. */
export function useProductAt(path: string): string | undefined {
  const products = useProducts()
  const asked = place.value.query.get('product') ?? undefined
  const chosen = chosenProduct.value
  const before = useRef(chosen)
  useEffect(() => {
    if (!asked || asked === chosenProduct.value) return
    before.current = asked
    chooseProduct(asked)
  }, [asked])
  useEffect(() => {
    if (chosen === before.current) return
    before.current = chosen
    const [page = '', query] = path.split('?')
    const other = new URLSearchParams(query)
    other.set('product', chosen ?? '')
    if (chosen && chosen !== asked) goTo(`${page}?${other}`, { replaces: true })
  }, [chosen])
  return asked ?? (products.find(({ externalKey }) => externalKey === chosen) ?? products[0])?.externalKey
}
