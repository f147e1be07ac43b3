import { expect } from 'vitest'
import type { ApiResponse } from '../../client'
import { copyNewestRow } from '../../contract/copy-rows'
import { nextPageUrl } from '../../contract/pages'
import { insertSecondProduct } from '../../contract/table'
import { createWorkspace } from '../../factories'
import { runtimeTest } from '../../runtime-test'

interface Item {
  id: number
  product_id: number
}

runtimeTest.each(['most-voted', 'trending', 'recently-updated'])(
  'a key that is limited to a product looks at 10,000 ideas per page of the order %s and continues',
  async (sort) => {
    const here = await createWorkspace()
    const { subscriptionId, product } = here
    await here.client('POST', '/api/feedback-items', { json: { title: 'Dark mode', product: product.externalKey } })
    const other = String(await insertSecondProduct(here))
    await copyNewestRow('feedback_items', subscriptionId, 12_000, {
      product_id: other,
      vote: '7',
      updated_at: 'n * 1e9',
    })
    await copyNewestRow('feedback_items', subscriptionId, 3, {
      product_id: String(product.id),
      vote: '1',
      updated_at: '2',
    })
    const apiKey = await here.key({ products: [product.id] })
    const pages: ApiResponse<Item[]>[] = []
    for (let path: string | undefined = `/api/feedback-items?sort=${sort}&limit=3`; path; ) {
      const page: ApiResponse<Item[]> = await here.client('GET', path, { apiKey })
      pages.push(page)
      path = nextPageUrl(page.headers)
    }
    expect(pages.map(({ body }) => body.data.length)).toEqual([0, 3, 1])
    const found = pages.flatMap(({ body }) => body.data)
    expect(new Set(found.map((item) => item.product_id))).toEqual(new Set([product.id]))
    expect(new Set(found.map(({ id }) => id)).size).toBe(4)
    expect(Math.max(...pages.map(({ cost }) => cost.rowsRead))).toBeLessThan(30_100)
  },
)
