import { foldColumnName } from '../../workspace/imports/columns'
import type { LINK_TYPES } from '../links/schema'

export type LinkType = (typeof LINK_TYPES)[number]

export interface LinkMeaning {
  type: LinkType
  /** The linked item blocks or duplicates the item of the row. */
  isReversed: boolean
}

const NAMES: readonly (readonly [type: LinkType, isReversed: boolean, names: readonly string[]])[] = [
  ['blocks', false, ['block', 'blocks', 'blocker', 'blocking', 'successor', 'successors']],
  ['blocks', true, ['blocked by', 'is blocked by', 'predecessor', 'predecessors']],
  ['blocks', true, ['depend', 'depends', 'depends on', 'dependency', 'dependencies']],
  ['relates', false, ['relate', 'relates', 'relates to', 'related', 'related to', 'related work', 'relation']],
  ['duplicates', false, ['duplicate', 'duplicates', 'duplicate of']],
  ['duplicates', true, ['duplicated by', 'is duplicated by']],
]
const MEANINGS = new Map(
  NAMES.flatMap(([type, isReversed, names]) =>
    names.map((name): [string, LinkMeaning] => [foldColumnName(name), { type, isReversed }]),
  ),
)

/** Jira names a type of links by its outward direction. */
const JIRA_COLUMN_PATTERN = /^(outward|inward) issue link \(([^()]{1,100})\)$/i

/** The meaning of a column of links. `unknownName`: a type of links that is not one of ours. */
export function readLinkColumn(column: string): LinkMeaning & { unknownName?: string } {
  const [, direction, name = column] = JIRA_COLUMN_PATTERN.exec(column.trim()) ?? []
  const { type, isReversed } = MEANINGS.get(foldColumnName(name)) ?? { type: 'relates', isReversed: false }
  return {
    type,
    isReversed: isReversed !== (direction?.toLowerCase() === 'inward'),
    ...(!MEANINGS.has(foldColumnName(name)) && { unknownName: name }),
  }
}
