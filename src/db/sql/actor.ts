import type { KeyKind } from '../schema/tenancy'

/** A session ends this long after its last use, in milliseconds. */
export const SESSION_LIFETIME_MS = 30 * 86_400_000

/** The caller, as the signed claims of the key say. The request's own batch checks if the key is still active. */
export interface Actor {
  subscriptionId: number
  userId: number
  jti: string
  scopes: readonly string[]
  products: readonly number[] | null
  /** Default: a secret key. */
  kind?: KeyKind | undefined
}
