/** The caller, as the signed claims of the key say. The request's own batch checks if the key is still active. */
export interface Actor {
  subscriptionId: number
  userId: number
  jti: string
  scopes: readonly string[]
  products: readonly number[] | null
}
