/** Includes the delivery itself. */
export const HOPS_HEADER_NAME = 'x-groundwork-hops'

/** Webhooks of two services can trigger each other without end. */
export const MAX_WEBHOOK_HOPS = 5

export function readHopsHeader(headers: Headers): number {
  const given = headers.get(HOPS_HEADER_NAME) ?? ''
  return /^\d+$/.test(given) ? Number(given) : 0
}

export const buildHopsHeader = (hops: number | null) => ({ [HOPS_HEADER_NAME]: String((hops ?? 0) + 1) })
