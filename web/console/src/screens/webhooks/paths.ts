import { goTo, place } from '../../state/place'

export const RESULTS = ['all', 'failed', 'pending', 'discarded'] as const
export type Result = (typeof RESULTS)[number]

/** What the address says about the screen. */
export interface Shown {
  /** Id of the webhook. */
  webhook: number | undefined
  result: Result
  /** Id of the delivery. */
  delivery: number | undefined
}

const readId = (name: string): number | undefined => Number(place.value.query.get(name)) || undefined

export const readShown = (): Shown => ({
  webhook: readId('webhook'),
  result: RESULTS.find((result) => result === place.value.query.get('result')) ?? 'all',
  delivery: readId('delivery'),
})

export function pathOf({ webhook, result, delivery }: Partial<Shown>): string {
  const query = new URLSearchParams({
    ...(webhook && { webhook: String(webhook) }),
    ...(webhook && result && result !== 'all' && { result }),
    ...(webhook && delivery && { delivery: String(delivery) }),
  })
  return query.size ? `/webhooks?${query}` : '/webhooks'
}

export const show = (change: Partial<Shown>, options?: { replaces: boolean }): void =>
  goTo(pathOf({ ...readShown(), ...change }), options)

/** The filter and the delivery belong to one webhook. */
export const select = (webhook: number | undefined, options?: { replaces: boolean }): void =>
  goTo(pathOf({ webhook }), options)
