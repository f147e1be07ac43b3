import type { Env } from '../env'
import { ApiError } from '../text/errors'

// What is counted, the setting that says the limit in words, and what one beyond it is told. The bindings stand in wrangler.toml.
const LIMITS = {
  key: {
    binding: 'KEY_RATE',
    policy: 'RATE_LIMIT_POLICY',
    message: 'Too many requests with this API key. Wait a minute, then go on more slowly.',
  },
  bulk: {
    binding: 'BULK_RATE',
    policy: 'BULK_RATE_LIMIT_POLICY',
    message:
      'Too many bulk operations and imports with this API key. Wait a minute, then send more records with each, and fewer of them.',
  },
  address: {
    binding: 'ADDRESS_RATE',
    policy: 'ADDRESS_RATE_LIMIT_POLICY',
    message: 'Too many requests from this address. Wait a minute, then go on more slowly.',
  },
} as const

/** What a request is counted by. */
export type Limit = keyof typeof LIMITS

/** Counts a request, and refuses it beyond the limit. */
export async function limitRate(env: Env, limit: Limit, key: string): Promise<void> {
  const { binding, message } = LIMITS[limit]
  const { success } = await env[binding].limit({ key })
  if (!success) throw new ApiError('rate_limited', message, { headers: { 'Retry-After': '60' } })
}

/** The limits in words, for the `RateLimit-Policy` header. */
export const policyOf = (env: Env, limits: readonly Limit[]): string =>
  limits.map((limit) => env[LIMITS[limit].policy]).join(', ')

/**
 * What an address is counted by: of IPv6 its network of 64 bits, as whoever has one has all of them; an IPv4 address
 * written as IPv6 is that one.
 */
export function counted(address: string): string {
  if (!address.includes(':')) return address
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (ipv4) return ipv4
  const [before = '', after] = address.toLowerCase().split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const [first, last] = [groups(before), groups(after)]
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const network = [...first, ...(after === undefined ? [] : zeros), ...last].slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
