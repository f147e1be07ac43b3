/** Header with the number of webhooks in a chain, including the delivery itself. */
export const HOPS_HEADER = 'x-groundwork-hops'

/** Limit of a chain, because webhooks of two services can trigger each other without end. */
export const MAX_HOPS = 5

/** Reads the number from a sender's headers; 0 without a valid number. */
export function readHops(headers: Headers): number {
  const given = headers.get(HOPS_HEADER) ?? ''
  return /^\d+$/.test(given) ? Number(given) : 0
}

export const buildHopsHeader = (hops: number | null) => ({ [HOPS_HEADER]: String((hops ?? 0) + 1) })
