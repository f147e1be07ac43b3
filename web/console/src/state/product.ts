import { signal } from '@preact/signals'
import { readStored, store } from './stored'

const NAME = 'console-product'

/** External key of the product that limits the screens; null for all products. */
export const chosenProduct = signal(readStored(NAME))

export function chooseProduct(key: string | null): void {
  chosenProduct.value = key
  store(NAME, key)
}
