// Placeholder of `keyOfOther` (src/db/sql/field.ts), safe because user texts contain no NUL.
const KEY_PLACEHOLDER = /"\\u0000key:(\d+):([^"]*)"/g

/** Fills in the keys of records in different products. A product outside the reader's limit gives null. */
export const fillInKeys = (data: string, { products }: { products: readonly number[] | null }): string =>
  data.replace(KEY_PLACEHOLDER, (_, product: string, key: string) =>
    products === null || products.includes(Number(product)) ? JSON.stringify(key) : 'null',
  )
