import type { Item } from './forest'

/** The page of an item. */
export const pathOfItem = (product: string, { key }: Pick<Item, 'key'>): string =>
  `/backlog/${encodeURIComponent(key)}?${new URLSearchParams({ product })}`
