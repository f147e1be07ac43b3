import { useEffect } from 'preact/hooks'
import { useProducts } from '../../api/products'
import { place } from '../../state/place'
import { chooseProduct, chosenProduct } from '../../state/product'
import { setQuery } from './filters'

/** The product of the address, or the chosen product, or the first. Undefined while the products are loaded. */
export function useProduct(): string | undefined {
  const products = useProducts()
  const asked = place.value.query.get('product')
  useEffect(() => {
    if (asked && asked !== chosenProduct.value) chooseProduct(asked)
  }, [])
  const chosen = products.find(({ externalKey }) => externalKey === chosenProduct.value) ?? products[0]
  const product = chosen?.externalKey
  useEffect(() => {
    if (product && product !== asked)
      setQuery({ product, owner: undefined, tag: undefined, version: undefined, map: undefined })
  }, [product])
  return product
}
