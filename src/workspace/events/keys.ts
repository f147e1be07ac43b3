// Placeholder of `keyAcrossProducts` (src/db/sql/field.ts), safe because user texts contain no NUL.
const RECORD_KEY_PLACEHOLDER_PATTERN = /"\\u0000key:(\d+):([^"]*)"/g

export const fillInRecordKeys = (data: string, { products }: { products: readonly number[] | null }): string =>
  data.replace(RECORD_KEY_PLACEHOLDER_PATTERN, (_, product: string, key: string) =>
    products === null || products.includes(Number(product)) ? JSON.stringify(key) : 'null',
  )
