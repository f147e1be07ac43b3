// Placeholder of `keyOfOther` (src/db/sql/field.ts), safe because user texts contain no NUL.
const KEY_PLACEHOLDER = /"\\u0000key:(\d+):([^"]*)"/g

export const fillInKeys = (data: string, { products }: { products: readonly number[] | null }): string =>
  data.replace(KEY_PLACEHOLDER, (_, product: string, key: string) =>
    products === null || products.includes(Number(product)) ? JSON.stringify(key) : 'null',
  )
