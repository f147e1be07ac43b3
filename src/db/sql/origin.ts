export interface Origin {
  via: 'incoming_webhook'
  id: number
  /** Number of webhooks in the chain up to the request. */
  hops: number
}

export const nameOfOrigin = ({ via, id }: Pick<Origin, 'via' | 'id'>): string => `${via}:${id}`
