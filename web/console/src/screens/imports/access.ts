import { type Area, type Me, mayChange } from '../../api/me'
import type { ImportKind } from './requests'

const AREAS: Readonly<Record<ImportKind, Area>> = {
  backlog: 'backlog',
  feedback: 'feedback',
  changelog: 'feedback',
  people: 'segments',
  suppressions: 'mail',
}

/** Kinds of records that the person may import. */
export const listAllowedKinds = (me: Me): ImportKind[] =>
  (Object.keys(AREAS) as ImportKind[]).filter((kind) => mayChange(me, AREAS[kind]))
