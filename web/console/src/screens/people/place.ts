import { goTo, place } from '../../state/place'

export const PATH = '/people'

/** What the address says about the screen. */
export interface View {
  q: string
  segment: number | undefined
  attribute: { name: string; value: string } | undefined
}

export function readView(): View {
  const { query } = place.value
  const [segment, name, value] = ['segment', 'attribute', 'value'].map((one) => query.get(one))
  return {
    q: query.get('q') ?? '',
    segment: Number(segment) || undefined,
    attribute: name ? { name, value: value ?? '' } : undefined,
  }
}

export function pathOf({ q, segment, attribute }: View): string {
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(segment !== undefined && { segment: String(segment) }),
    ...(attribute && { attribute: attribute.name, value: attribute.value }),
  }).toString()
  return query ? `${PATH}?${query}` : PATH
}

export const show = (view: View): void => goTo(pathOf(view), { replaces: true })
