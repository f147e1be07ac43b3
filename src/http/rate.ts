import type { Actor } from '../db/sql/actor'
import type { Env } from '../env'
import { ApiError } from '../text/errors'

// Each limit has a binding (declared in wrangler.toml), a setting with the policy shown to clients, and a message.
const RATE_LIMITS = {
  key: {
    binding: 'KEY_RATE',
    policy: 'RATE_LIMIT_POLICY',
    message: 'Too many requests with this API key. Wait a minute, then go on more slowly.',
  },
  workspace: {
    binding: 'WORKSPACE_RATE',
    policy: 'WORKSPACE_RATE_LIMIT_POLICY',
    message:
      'Too many requests in this workspace, by all of its API keys together. Wait a minute, then go on more slowly.',
  },
  bulk: {
    binding: 'BULK_RATE',
    policy: 'BULK_RATE_LIMIT_POLICY',
    message:
      'Too many bulk operations, imports, previews, and reads of segments with this API key. Wait a minute, then send fewer requests, each with more records.',
  },
  // Counted with the limit of a key, because each token of an end user acts as a key.
  endUser: {
    binding: 'KEY_RATE',
    policy: 'RATE_LIMIT_POLICY',
    message: 'Too many requests of this end user. Wait a minute, then go on more slowly.',
  },
  address: {
    binding: 'ADDRESS_RATE',
    policy: 'ADDRESS_RATE_LIMIT_POLICY',
    message: 'Too many requests from this address. Wait a minute, then go on more slowly.',
  },
} as const

export type RateLimitName = keyof typeof RATE_LIMITS

interface RateCount {
  limit: RateLimitName
  counted: string
  units: number
}

// The local runtime of wrangler 4.156 refuses `delta`, and every unit needs a call.
const REFUSED_DELTA_ERROR_PATTERN = /bad rate limit options: \[delta\]/

async function isWithinRateLimit(limiter: RateLimit, { counted: key, units }: RateCount): Promise<boolean> {
  if (units === 1) return (await limiter.limit({ key })).success
  try {
    return (await limiter.limit({ key, delta: units })).success
  } catch (cause) {
    if (!(cause instanceof Error && REFUSED_DELTA_ERROR_PATTERN.test(cause.message))) throw cause
  }
  const outcomes = await Promise.all(Array.from({ length: units }, () => limiter.limit({ key })))
  return outcomes.some(({ success }) => success)
}

async function findExceededRateLimit(env: Env, counts: readonly RateCount[]): Promise<RateLimitName | undefined> {
  const within = await Promise.all(
    counts.map((count) => isWithinRateLimit(env[RATE_LIMITS[count.limit].binding], count)),
  )
  return counts[within.indexOf(false)]?.limit
}

const rateLimitError = (limit: RateLimitName) =>
  new ApiError('rate_limited', RATE_LIMITS[limit].message, { headers: { 'Retry-After': '60' } })

export async function limitAddressRate(env: Env, address: string): Promise<void> {
  if (await findExceededRateLimit(env, [{ limit: 'address', counted: countingKeyOfAddress(address), units: 1 }]))
    throw rateLimitError('address')
}

interface EndUserRate {
  actor: Pick<Actor, 'subscriptionId'>
  sub: string
  units: number
}

export async function limitEndUserRate(env: Env, { actor, sub, units }: EndUserRate): Promise<void> {
  const counted = `${actor.subscriptionId}:end-user:${sub}`
  if (await findExceededRateLimit(env, [{ limit: 'endUser', counted, units }])) throw rateLimitError('endUser')
}

// Milliseconds to check a key beyond the limit before the workspace, because refused requests of the key must not use
// up the workspace's units. A key within the limit is checked together with the workspace, in the same time.
const EXCEEDED_KEY_TTL_MS = 10_000
const MAX_EXCEEDED_KEYS = 10_000
const expiryByExceededKey = new Map<string, number>()

interface RequestWeight {
  units: number
  bulk: boolean
  now: number
}

export async function limitCallerRate(
  env: Env,
  { subscriptionId, jti }: Pick<Actor, 'subscriptionId' | 'jti'>,
  { units, bulk, now }: RequestWeight,
): Promise<void> {
  const of = `${subscriptionId}:${jti}`
  const key: RateCount = { limit: 'key', counted: of, units }
  const others: RateCount[] = [{ limit: 'workspace', counted: String(subscriptionId), units }]
  if (bulk) others.push({ limit: 'bulk', counted: of, units: 1 })
  const rounds = (expiryByExceededKey.get(of) ?? 0) > now ? [[key], others] : [[key, ...others]]
  for (const round of rounds) {
    const limit = await findExceededRateLimit(env, round)
    if (limit === undefined) continue
    if (limit === 'key') {
      if (expiryByExceededKey.size >= MAX_EXCEEDED_KEYS) expiryByExceededKey.clear()
      expiryByExceededKey.set(of, now + EXCEEDED_KEY_TTL_MS)
    }
    throw rateLimitError(limit)
  }
}

export const rateLimitPolicyOf = (env: Env, limits: readonly RateLimitName[]): string =>
  limits.map((limit) => env[RATE_LIMITS[limit].policy]).join(', ')

const limitOfPolicy = (policy: string) => Number(/;q=(\d+)/.exec(policy)?.[1])

/** Limits of a caller as their policies state them. */
export const readUnitsPerMinute = (env: Env) => ({
  unitsPerMinute: limitOfPolicy(env.RATE_LIMIT_POLICY),
  workspaceUnitsPerMinute: limitOfPolicy(env.WORKSPACE_RATE_LIMIT_POLICY),
  bulkOperationsPerMinute: limitOfPolicy(env.BULK_RATE_LIMIT_POLICY),
})

/** The /64 network for IPv6, because a client has the whole network. */
export function countingKeyOfAddress(address: string): string {
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
