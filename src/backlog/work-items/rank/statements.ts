import { type SQL, sql } from 'drizzle-orm'

/**
 * The rank of the item that is made with this number: behind all that there are. A fractional index in base 62, whose
 * integer part here has the digits 0 to 9 alone.
 */
export const lastRank = (number: SQL) => sql`printf('k%011d', ${number})`
