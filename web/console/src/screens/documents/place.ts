import { goTo, place } from '../../state/place'

export const PATH = '/documents'
export const TEMPLATE_PATH = '/documents/templates'
export const DETAIL_TITLE = 'document-title'

/** What the address says about the documents. */
export interface View {
  product: string
  q: string
  document: string | undefined
}

export const readView = (product: string): View => ({
  product,
  q: place.value.query.get('q') ?? '',
  document: place.value.query.get('document') ?? undefined,
})

export function pathOf(view: View): string {
  const given = Object.entries(view).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return `${PATH}?${new URLSearchParams(given)}`
}

export const go = (view: View): void => goTo(pathOf(view), { replaces: true })

/** Id of the template in the address. */
export function readTemplate(): number | undefined {
  const id = Number(place.value.query.get('template'))
  return Number.isInteger(id) && id > 0 ? id : undefined
}

export const pathOfTemplate = (id: number | undefined): string =>
  id ? `${TEMPLATE_PATH}?template=${id}` : TEMPLATE_PATH

export const selectTemplate = (id: number | undefined): void => goTo(pathOfTemplate(id), { replaces: true })
