import type { Item } from './forest'

/** The page of an item. */
export const pathOfItem = (product: string, { type, key }: Pick<Item, 'type' | 'key'>): string =>
  `/records/${type}/${encodeURIComponent(key)}?${new URLSearchParams({ product })}`
