import { signal } from '@preact/signals'

export const BASE = '/console'

export interface Place {
  /** Path below the base, such as `/imports/3`. */
  path: string
  query: URLSearchParams
}

const readPlace = (): Place => ({
  path: location.pathname.slice(BASE.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(location.search),
})

/** The address holds filters, selection and tab, so that a reload and a shared link show the same. */
export const place = signal(readPlace())

/** `to` is a path below the base. */
export function goTo(to: string, { replaces = false } = {}): void {
  history[replaces ? 'replaceState' : 'pushState'](null, '', BASE + to)
  place.value = readPlace()
}

/** Links within the console change the place without a load. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    place.value = readPlace()
  })
  addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const { origin, pathname, search } = new URL(link.href)
    if (origin !== location.origin || !(pathname === BASE || pathname.startsWith(`${BASE}/`))) return
    event.preventDefault()
    goTo(pathname.slice(BASE.length) + search)
  })
}
