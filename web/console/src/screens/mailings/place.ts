import type { RowList } from '../../parts/list-keys'
import { goTo, place } from '../../state/place'
import type { Mailing } from './requests'

export const PATH = '/mailings'
export const COMPOSE_PATH = `${PATH}/new`
export const DETAIL_TITLE = 'mailing-title'

/** Kinds of each group: mail of the team, tests, and mail that the service sends on its own. */
export const GROUPS = {
  own: ['segment', 'members'],
  test: ['test'],
  service: ['invitation', 'confirmation', 'sign_in', 'feedback', 'release', 'notice', 'digest'],
} as const satisfies Record<string, readonly Mailing['kind'][]>
export type Group = keyof typeof GROUPS

/** What the address says about the screen. */
export interface View {
  group: Group
  mailing: number | undefined
}

const isGroup = (text: string | null): text is Group => text !== null && text in GROUPS

export function readView(): View {
  const { query } = place.value
  const group = query.get('group')
  return { group: isGroup(group) ? group : 'own', mailing: Number(query.get('mailing')) || undefined }
}

export function pathOf({ group, mailing }: View): string {
  const query = new URLSearchParams({
    ...(group !== 'own' && { group }),
    ...(mailing !== undefined && { mailing: String(mailing) }),
  })
  return query.size ? `${PATH}?${query}` : PATH
}

/** The mailings as the rows of the list. */
export const toRows = (view: View, mailings: readonly Mailing[] | undefined): RowList => ({
  ...{ keys: (mailings ?? []).map(({ id }) => String(id)), selected: view.mailing?.toString(), detail: DETAIL_TITLE },
  select: (key) => goTo(pathOf({ ...view, mailing: key === undefined ? undefined : Number(key) }), { replaces: true }),
})
