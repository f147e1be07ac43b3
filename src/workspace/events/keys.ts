// What `keyOfOther` (src/db/field.ts) leaves in the log, as `PLACE` of people.ts: no text of a user holds a NUL.
const OTHER = /"\\u0000key:(\d+):([^"]*)"/g

/** An event's data as JSON, with the keys of records of other products for a reader of those; null in their place otherwise. */
export const withKeys = (data: string, { products }: { products: readonly number[] | null }): string =>
  data.replace(OTHER, (_, product: string, key: string) =>
    products === null || products.includes(Number(product)) ? JSON.stringify(key) : 'null',
  )
