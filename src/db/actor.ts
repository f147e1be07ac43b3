/** Who calls: what the key's signed claims say. Whether the key is still active is asked in the request's own batch. */
export interface Actor {
  subscriptionId: number
  userId: number
  jti: string
  scopes: readonly string[]
  /** Ids of the products the key is limited to; null for all. */
  products: readonly number[] | null
}
