/** Includes the delivery itself. */
export const HOPS_HEADER = 'x-groundwork-hops'

/** Webhooks of two services can trigger each other without end. */
export const MAX_HOPS = 5

export function readHops(headers: Headers): number {
  const given = headers.get(HOPS_HEADER) ?? ''
  return /^\d+$/.test(given) ? Number(given) : 0
}

export const buildHopsHeader = (hops: number | null) => ({ [HOPS_HEADER]: String((hops ?? 0) + 1) })
