/** What makes a request within the service, where no caller outside does. */
export interface Origin {
  via: 'incoming_webhook'
  id: number
  /** How many webhooks followed each other up to it. */
  hops: number
}

/** As the log has it: `incoming_webhook:7`. */
export const nameOfOrigin = ({ via, id }: Pick<Origin, 'via' | 'id'>): string => `${via}:${id}`
