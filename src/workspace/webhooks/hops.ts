/** Says of a delivery how many webhooks followed each other up to it, itself counted. */
export const HOPS = 'x-groundwork-hops'

/** So many may follow each other: each may be told to write what the next is told of, and none of them ends that. */
export const MAX_HOPS = 5

/** What a sender says of it; 0 of one that says nothing, or no number. */
export function hopsOf(headers: Headers): number {
  const given = headers.get(HOPS) ?? ''
  return /^\d+$/.test(given) ? Number(given) : 0
}

/** The header of a delivery of an event that came about after so many. */
export const hopsHeader = (hops: number | null) => ({ [HOPS]: String((hops ?? 0) + 1) })
