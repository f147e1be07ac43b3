import { readFilters } from './filters'
import { type Forest, type Item, ROOT } from './forest'

const toAddress = (path: string, query: readonly (readonly [string, string])[]): string =>
  `${path}?${new URLSearchParams(query.filter(([, value]) => value !== '').map((pair) => [...pair]))}`

const toItemPath = (key: string) => `/backlog/${encodeURIComponent(key)}`

/** The page of an item. */
export const pathOfItem = (product: string, { key }: Pick<Item, 'key'>): string =>
  toAddress(toItemPath(key), [['product', product]])

/** The page of an item of the filtered list. The page keeps the filters for the next item and the way back. */
export const pathOfListed = (product: string, { key }: Pick<Item, 'key'>): string =>
  toAddress(toItemPath(key), [['product', product], ...Object.entries(readFilters())])

/** The tree with the items of a branch, and the branches above. */
export function pathOfBranch(product: string, { items }: Forest, branch: string): string {
  const open: string[] = []
  for (let key = branch; key !== ROOT; key = items.get(key)?.parent ?? ROOT) open.push(key)
  return toAddress('/backlog', [
    ['product', product],
    ['open', open.join()],
  ])
}

export const pathOfBacklog = (product: string): string =>
  toAddress('/backlog', [['product', product], ...Object.entries(readFilters())])
