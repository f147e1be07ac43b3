// Placeholders of `keyAcrossProducts` and `listedKey` (src/db/sql/field.ts), safe because user texts contain no NUL.
const RECORD_KEY_PLACEHOLDER_PATTERN = /"\\u0000key:(\d+):([^"]*)"/g
const LISTED_KEY_PATTERN = /"\\u0000listed:(\d+):([^"]*)"/g
const KEY_LIST_PATTERN = /\[(?:"\\u0000listed:\d+:[^"]*",?)+\]/g

export function fillInRecordKeys(data: string, { products }: { products: readonly number[] | null }): string {
  const isCovered = (product = '') => products === null || products.includes(Number(product))
  return data
    .replace(RECORD_KEY_PLACEHOLDER_PATTERN, (_, product: string, key: string) =>
      isCovered(product) ? JSON.stringify(key) : 'null',
    )
    .replace(KEY_LIST_PATTERN, (list) =>
      JSON.stringify(
        Array.from(list.matchAll(LISTED_KEY_PATTERN), ([, product, key]) => (isCovered(product) ? [key] : [])).flat(),
      ),
    )
}
