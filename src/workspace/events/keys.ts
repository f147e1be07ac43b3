// Placeholder of `keyOfOther` (src/db/field.ts), safe because user texts contain no NUL.
const OTHER = /"\\u0000key:(\d+):([^"]*)"/g

/** Fills in the keys of records in different products. A product outside the reader's limit gives null. */
export const withKeys = (data: string, { products }: { products: readonly number[] | null }): string =>
  data.replace(OTHER, (_, product: string, key: string) =>
    products === null || products.includes(Number(product)) ? JSON.stringify(key) : 'null',
  )
