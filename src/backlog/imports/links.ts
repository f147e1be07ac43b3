import type { CellProblemReporter } from '../../workspace/imports/kind'
import { parseJsonCell } from '../../workspace/imports/row-values'
import type { WorkItemType } from '../work-items/queries/record'
import type { ImportedItem } from './kind'
import { type LinkMeaning, type LinkType, readLinkColumn } from './link-names'
import type { ImportedExternalId } from './values'

export interface ImportedLink extends LinkMeaning {
  column: string
  target: string
}

/**
 * Names of the linked item: its row in this file and its type, and its key in this product, in Jira and in another
 * system. An item that is not in the file may be of any type, and have its key in this product as the last name.
 */
type LinkedNames = [row: number | null, ...names: ItemNames, type: WorkItemType | null]
type ItemNames = [key: string, jiraKey: string, source: string | null, id: string | null, lastKey: string]
export type LinkOfRow = [type: LinkType, isReversed: 0 | 1, ...linked: LinkedNames]

/** The list of links of an item is a single page. */
export const MAX_LINKS_PER_ITEM = 200
// The links stay in memory until the later row of both.
const MAX_LINKS_PER_FILE = 200_000
// Longer texts name no item, which bounds the memory of a file.
const MAX_KEY_LENGTH = 100
// A longer circle costs too much time to find.
const MAX_ROWS_OF_CIRCLE = 200

export const LINK_FIELD = 'linkedItems'
const UNKNOWN_NAME_REASON = 'Links are of the types blocks, relates and duplicates.'
const UNKNOWN_ITEM_REASON = 'Neither the file nor the product has an item with this key or id.'
export const TOO_MANY_LINKS_REASON = `An item can have at most ${MAX_LINKS_PER_ITEM} links, and a file ${MAX_LINKS_PER_FILE.toLocaleString('en-US')}.`
export const LINK_CIRCLE_REASON = 'Items cannot block each other, directly or through other items.'
const OWN_LINK_REASON = 'An item cannot be linked to itself.'

function listKeys(cell: string): string[] {
  const list = cell.startsWith('[') ? parseJsonCell(cell) : undefined
  if (!Array.isArray(list)) return splitKeys(cell)
  return list.slice(0, MAX_LINKS_PER_ITEM + 1).filter((key) => typeof key === 'string' && key !== '')
}

const splitKeys = (cell: string): string[] =>
  cell
    .split(/[\s,;]+/, MAX_LINKS_PER_ITEM + 1)
    .map((key) => key.replace(/^#/, ''))
    .filter((key) => key !== '')

/** `cells`: a JSON array of `[column, cell]`. A cell has keys or ids: a JSON array, or texts separated by commas or white space. */
export function readLinks(cells: string | undefined, report: CellProblemReporter): ImportedLink[] {
  if (cells === undefined) return []
  const links: ImportedLink[] = []
  for (const [column, cell] of JSON.parse(cells) as [string, string][]) {
    const { unknownName, ...meaning } = readLinkColumn(column)
    if (unknownName !== undefined)
      report({ field: LINK_FIELD, column, value: unknownName, became: meaning.type, reason: UNKNOWN_NAME_REASON })
    for (const target of listKeys(cell)) {
      if (links.length === MAX_LINKS_PER_ITEM) {
        report({ field: LINK_FIELD, column, value: null, reason: TOO_MANY_LINKS_REASON })
        return links
      }
      if (target.length <= MAX_KEY_LENGTH) links.push({ ...meaning, column, target })
      else report({ field: LINK_FIELD, column, value: target, reason: UNKNOWN_ITEM_REASON })
    }
  }
  return links
}

interface RowNames {
  type: WorkItemType
  key: string
  jiraKey: string
  externalId: ImportedExternalId | undefined
}

interface Rows {
  find(name: string): number | undefined
  namesOf(row: number): RowNames
}

/** Links two rows at the later row, because both items exist by then. Both rows may name the link. */
export function createLinkCollector({ find, namesOf }: Rows) {
  const waiting = new Map<number, { row: number; type: LinkType; isReversed: boolean }[]>()
  const linkCounts = new Map<number | string, number>()
  const blockedRows = new Map<number, number[]>()
  let linkCount = 0

  return function collectLinks(number: number, { links }: ImportedItem, report: CellProblemReporter): LinkOfRow[] {
    const outside = new Map<string, LinkOfRow>()
    for (const link of links) {
      const row = find(link.target)
      const problem = row === undefined ? linkOutside(number, link, outside, report) : linkRows(number, row, link)
      if (problem) report({ field: LINK_FIELD, column: link.column, value: link.target, reason: problem })
    }
    const inside = (waiting.get(number) ?? []).map(({ row, type, isReversed }): LinkOfRow => {
      const { key, jiraKey, externalId, type: itemType } = namesOf(row)
      const [source, id] = externalId ?? [null, null]
      return [type, isReversed ? 1 : 0, row, key, jiraKey, source, id, '', itemType]
    })
    waiting.delete(number)
    return [...inside, ...outside.values()]
  }

  function linkRows(number: number, other: number, { type, isReversed }: ImportedLink): string | undefined {
    if (number === other) return OWN_LINK_REASON
    const [earlier, later] = number < other ? [number, other] : [other, number]
    const reversed = later === number ? isReversed : !isReversed
    const links = waiting.get(later) ?? []
    const same = links.find((link) => link.row === earlier && link.type === type)
    if (same) return type === 'blocks' && same.isReversed !== reversed ? LINK_CIRCLE_REASON : undefined
    const [from, to] = reversed ? [earlier, later] : [later, earlier]
    if (type === 'blocks' && reaches(to, from)) return LINK_CIRCLE_REASON
    if (!countLink(earlier, later)) return TOO_MANY_LINKS_REASON
    if (type === 'blocks') blockedRows.set(from, [...(blockedRows.get(from) ?? []), to])
    waiting.set(later, [...links, { row: earlier, type, isReversed: reversed }])
    return undefined
  }

  function linkOutside(
    number: number,
    { type, isReversed, target, column }: ImportedLink,
    outside: Map<string, LinkOfRow>,
    report: CellProblemReporter,
  ): string | undefined {
    const name = `${type} ${target}`
    if (outside.has(name)) return undefined
    const { jiraKey, externalId } = namesOf(number)
    // Names of the row's own system come first, because a key of another system may look like a key of this product.
    const isForeign = jiraKey !== '' || externalId !== undefined
    const source = externalId?.[0] ?? null
    const names: ItemNames = [isForeign ? '' : target, target, source, source && target, isForeign ? target : '']
    if (!countLink(number, target)) return TOO_MANY_LINKS_REASON
    const lookup = { in: 'items', key: JSON.stringify(names) } as const
    report({ field: LINK_FIELD, column, value: target, reason: UNKNOWN_ITEM_REASON, lookup })
    outside.set(name, [type, isReversed ? 1 : 0, null, ...names, null])
    return undefined
  }

  function countLink(...ends: (number | string)[]): boolean {
    if (linkCount >= MAX_LINKS_PER_FILE) return false
    if (ends.some((end) => (linkCounts.get(end) ?? 0) >= MAX_LINKS_PER_ITEM)) return false
    // Copies the text, because a substring keeps the whole text in memory.
    for (const end of ends) linkCounts.set(JSON.parse(JSON.stringify(end)), (linkCounts.get(end) ?? 0) + 1)
    linkCount++
    return true
  }

  function reaches(from: number, to: number): boolean {
    const seen = new Set([from])
    for (const row of seen) {
      if (row === to) return true
      if (seen.size < MAX_ROWS_OF_CIRCLE) for (const next of blockedRows.get(row) ?? []) seen.add(next)
    }
    return false
  }
}
