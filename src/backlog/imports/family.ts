import type { Relations } from '../../workspace/imports/bulk'
import { Refused, shown } from '../../workspace/imports/kind'
import { PREFIX, type WorkItemType } from '../work-items/queries/record'
import type { Item, Parent } from './kind'

const HEIGHTS = ['userstory', 'feature', 'epic'] as const satisfies readonly WorkItemType[]

/** Keys of possible parents in this product. */
const KEY = new RegExp(`^(?:${PREFIX.epic}|${PREFIX.feature})-[1-9]\\d{0,14}$`)

interface Seen {
  type: WorkItemType | undefined
  sub: boolean
  key: string
  jiraKey: string
  parents: string[]
  /** Earlier row with an equal key or name. */
  twin: number | undefined
}

/**
 * Relations between the items of a file. Rows name each other in any order, by keys of the file or keys of records. An
 * item without a type gets the type from the levels below: the parent of a story is a feature, the parent of a feature
 * is an epic.
 */
export function family(): Relations<Item> {
  const rows = new Map<number, Seen>()
  const byName = new Map<string, number>()
  let heights: Map<number, number> | undefined
  return { see, of }

  function see(number: number, { type, sub, key, names, parents, given: { jiraKey = '' } }: Item): void {
    const twin = names.map((name) => byName.get(name)).find((one) => one !== undefined)
    // Copies the texts, because a substring keeps the whole text in memory.
    const copy: Pick<Item, 'key' | 'names' | 'parents'> & { jiraKey: string } = JSON.parse(
      JSON.stringify({ key, jiraKey, names, parents }),
    )
    if (twin === undefined) for (const name of copy.names) byName.set(name, number)
    rows.set(number, { type, sub, key: copy.key, jiraKey: copy.jiraKey, parents: copy.parents, twin })
  }

  /** Row of the first parent that is a feature, because a feature implies the epic, or of the first parent. */
  function nearest(parents: readonly string[]): number | undefined {
    const found = parents.flatMap((name) => byName.get(name) ?? [])
    return found.find((row) => rows.get(row)?.type === 'feature') ?? found[0]
  }

  function parentRow(number: number): number | undefined {
    const { parents = [], sub } = rows.get(number) ?? {}
    const above = nearest(parents)
    if (!sub || above === undefined || rows.get(above)?.type !== 'userstory') return above
    // A sub-task becomes a sibling of the story, below the parent of the story.
    const { parents: further = [], sub: nested } = rows.get(above) ?? {}
    return nested ? undefined : nearest(further)
  }

  /** Levels below each row; counting stops beyond the allowed levels. */
  function heightsOf(): Map<number, number> {
    const made = new Map<number, number>()
    for (const number of rows.keys()) {
      for (let [at, height] = [parentRow(number), 1]; at !== undefined && height <= HEIGHTS.length; height++) {
        if ((made.get(at) ?? 0) >= height) break
        made.set(at, height)
        at = parentRow(at)
      }
    }
    return made
  }

  function typeOf(number: number): WorkItemType | undefined {
    const seen = rows.get(number)
    heights ??= heightsOf()
    return seen?.type ?? HEIGHTS[heights.get(number) ?? 0]
  }

  function of(number: number, item: Item): Item | Refused {
    const twin = rows.get(number)?.twin
    const called = item.names[0] ?? ''
    if (twin !== undefined) return new Refused('name', `Row ${twin} has the same key or id. Leave one out.`, called)
    const type = typeOf(number)
    if (type === undefined)
      return new Refused('parent', 'More than three levels hang on each other, or a circle of them.')
    const parent = parentOf(number, type)
    return parent instanceof Refused ? parent : { ...item, type, parent }
  }

  /** Parent of a row, and the record of the product needed by the parent. */
  function parentOf(number: number, type: WorkItemType): Parent | Refused | undefined {
    const { parents = [] } = rows.get(number) ?? {}
    const [first] = parents
    if (first === undefined) return undefined
    const above = parentRow(number)
    if (above === undefined) {
      const keys = parents.filter((name) => KEY.test(name))
      const own = keys.find((name) => name.startsWith(PREFIX.feature)) ?? keys[0]
      // Ignores an unknown parent of an epic, because epics hang on further items in some products.
      if (type === 'epic') return undefined
      if (own === undefined) {
        return rows.get(number)?.sub && byName.has(first)
          ? undefined
          : new Refused('parent', `There is no "${shown(first)}" in the file, and it is no key of this product.`, first)
      }
      const feature = own.startsWith(PREFIX.feature)
      if (feature && type === 'feature')
        return new Refused('parent', `A feature hangs on an epic. ${own} is none.`, own)
      return { row: null, key: own, jiraKey: '', needs: { key: own, feature, own: true } }
    }
    const its = typeOf(above)
    const { key = '', jiraKey = '' } = rows.get(above) ?? {}
    const fits = type === 'userstory' ? its === 'epic' || its === 'feature' : type === 'feature' && its === 'epic'
    if (!fits) {
      const where =
        type === 'epic' ? 'An epic hangs on nothing' : `A ${type} cannot hang on a ${its ?? 'row of no type'}`
      return new Refused('parent', `${where}: see row ${above}.`, first)
    }
    if (rows.get(above)?.twin !== undefined) return new Refused('parent', `Row ${above} is rejected itself.`, first)
    const higher = parentOf(above, its as WorkItemType)
    if (higher instanceof Refused) return new Refused('parent', `Row ${above} is rejected itself.`, first)
    return { row: above, key, jiraKey, needs: higher?.needs ? { ...higher.needs, own: false } : null }
  }
}
