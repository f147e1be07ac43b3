import type { RowList } from '../../parts/list-keys'
import { goTo, place } from '../../state/place'
import type { Hook } from './requests'

const PATH = '/webhooks/incoming'
export const DETAIL_TITLE = 'hook-title'

export const STATUSES = ['all', 'failed', 'ignored', 'processed', 'queued'] as const
export type Status = (typeof STATUSES)[number]

/** What the address says about the screen. */
export interface Shown {
  hook: number | undefined
  status: Status
}

export const readShown = (): Shown => ({
  hook: Number(place.value.query.get('hook')) || undefined,
  status: STATUSES.find((status) => status === place.value.query.get('status')) ?? 'all',
})

export function pathOf({ hook, status = 'all' }: Partial<Shown>): string {
  const query = new URLSearchParams({
    ...(hook && { hook: String(hook) }),
    ...(hook && status !== 'all' && { status }),
  })
  return query.size ? `${PATH}?${query}` : PATH
}

export const select = (hook: number | undefined): void => goTo(pathOf({ hook }), { replaces: true })

export const toRows = (hooks: readonly Hook[] | undefined): RowList => {
  const { hook } = readShown()
  return {
    keys: (hooks ?? []).map(({ id }) => String(id)),
    selected: hook ? String(hook) : undefined,
    detail: DETAIL_TITLE,
    select: (key) => select(key === undefined ? undefined : Number(key)),
  }
}
