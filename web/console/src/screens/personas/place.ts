import type { RowList } from '../../parts/list-keys'
import { goTo, place } from '../../state/place'
import type { ListedPersona } from './requests'

export const PATH = '/personas'
export const DETAIL_TITLE = 'persona-title'
/** Stands for the personas that are in no segment. */
export const NO_SEGMENT = 'none'

/** What the address says about the screen. */
export interface View {
  isBoard: boolean
  persona: string | undefined
  /** Id of a segment, `none`, or empty for all personas. */
  segment: string
}

export const readView = (): View => ({
  isBoard: place.value.query.get('view') === 'board',
  persona: place.value.query.get('persona') ?? undefined,
  segment: place.value.query.get('segment') ?? '',
})

export function pathOf({ isBoard, persona, segment }: View): string {
  const query = new URLSearchParams({
    ...(isBoard && { view: 'board' }),
    ...(segment && { segment }),
    ...(persona && { persona }),
  })
  return query.size ? `${PATH}?${query}` : PATH
}

export const pathOfPersona = (persona: string): string => pathOf({ isBoard: false, segment: '', persona })

export const show = (change: Partial<View>): void => goTo(pathOf({ ...readView(), ...change }), { replaces: true })

export const isShown = ({ segment }: View, { boardSegmentId }: ListedPersona): boolean =>
  segment === '' || segment === String(boardSegmentId ?? NO_SEGMENT)

/** The personas as the rows of the list. */
export const toRows = (view: View, personas: readonly ListedPersona[]): RowList => ({
  ...{ keys: personas.map(({ externalKey }) => externalKey), selected: view.persona, detail: DETAIL_TITLE },
  select: (persona) => show({ persona }),
})
