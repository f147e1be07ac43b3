import { addFreeAttribute } from '../../workspace/imports/attributes'
import type { ImportRowRelations } from '../../workspace/imports/bulk'
import { type CellProblem, type CellProblemReporter, ImportRowRejection } from '../../workspace/imports/kind'
import { KEY_PREFIX_BY_TYPE, type WorkItemType } from '../work-items/queries/record'
import { createDerivedIdNumberer } from './identity'
import { JiraPeople } from './jira-people'
import type { ImportedItem, ImportedParent } from './kind'
import { createLinkCollector } from './links'
import type { ImportedFields } from './schema'
import type { ImportedExternalId } from './values'

const TYPES_FROM_BOTTOM = ['userstory', 'feature', 'epic'] as const satisfies readonly WorkItemType[]

const PARENT_KEY_PATTERN = new RegExp(`^(?:${KEY_PREFIX_BY_TYPE.epic}|${KEY_PREFIX_BY_TYPE.feature})-[1-9]\\d{0,14}$`)

// Longer titles name no parent, which bounds the memory of 100,000 rows.
const MAX_TITLE_LENGTH = 200

/** More than the levels of any known product. */
const MAX_STORIES_ABOVE = 10

interface CollectedRow {
  type: WorkItemType | undefined
  isSubTask: boolean
  key: string
  jiraKey: string
  externalId: ImportedExternalId | undefined
  parents: string[]
  /** Row of the parent by level. */
  above: number | undefined
  twin: number | undefined
}

const copyTexts = <T extends object>(texts: T): T => JSON.parse(JSON.stringify(texts))

/**
 * Rows name each other in any order. An item without a type gets the type from the levels below: the parent of a story
 * is a feature, the parent of a feature is an epic.
 */
export function createItemRelations(): ImportRowRelations<ImportedItem> {
  const rows = new Map<number, CollectedRow>()
  const byName = new Map<string, number>()
  // Undefined for a title of several rows.
  const byTitle = new Map<string, number | undefined>()
  const lastOfLevel: { row: number; title: string }[] = []
  const numberDerivedId = createDerivedIdNumberer()
  const jiraPeople = new JiraPeople()
  const collectLinks = createLinkCollector({
    find: (name) => byName.get(name),
    namesOf: (row) => {
      const { key = '', jiraKey = '', externalId } = rows.get(row) ?? {}
      return { type: typeOf(row), key, jiraKey, externalId }
    },
  })
  let heights: Map<number, number> | undefined
  return { collect: see, relate: of }

  function see(number: number, item: ImportedItem): void {
    const { type, isSubTask, level, key, names, parents, fields, externalIds, derivedId } = item
    jiraPeople.add(item.jiraPeople ?? [])
    const { jiraKey = '', summary } = fields
    const twin = names.map((name) => byName.get(name)).find((one) => one !== undefined)
    // Copies the texts, because a substring keeps the whole text in memory.
    const title = summary.slice(0, MAX_TITLE_LENGTH + 1)
    const externalId = derivedId ? numberDerivedId(derivedId) : externalIds[0]
    const copy = copyTexts({ key, jiraKey, names, parents, title, externalId })
    if (copy.title.length <= MAX_TITLE_LENGTH) byTitle.set(copy.title, byTitle.has(copy.title) ? undefined : number)
    if (twin === undefined) for (const name of copy.names) byName.set(name, number)
    const above = level === undefined ? undefined : findLastAbove(level)
    if (level !== undefined) {
      lastOfLevel.length = Math.min(lastOfLevel.length, level)
      lastOfLevel[level] = { row: number, title: copy.title }
    }
    rows.set(number, {
      ...{ type, isSubTask: isSubTask || level !== undefined, key: copy.key, jiraKey: copy.jiraKey, twin },
      externalId: copy.externalId,
      ...(above ? { parents: [above.title], above: above.row } : { parents: copy.parents, above: undefined }),
    })
  }

  function findLastAbove(level: number) {
    return lastOfLevel.slice(0, level).findLast((last) => last !== undefined)
  }

  /** Row of the first parent that is a feature, because a feature implies the epic, or of the first parent. */
  function nearest(number: number): number | undefined {
    const { parents = [], above } = rows.get(number) ?? {}
    if (above !== undefined) return above
    const found = parents.flatMap((name) => byName.get(name) ?? byTitle.get(name) ?? [])
    return found.find((row) => rows.get(row)?.type === 'feature') ?? found[0]
  }

  /** A sub-task becomes a sibling of its story, below the parent of the story. */
  function parentRow(number: number): number | undefined {
    let above = nearest(number)
    if (!rows.get(number)?.isSubTask) return above
    for (let stories = 0; above !== undefined && rows.get(above)?.type === 'userstory'; stories++)
      above = stories < MAX_STORIES_ABOVE ? nearest(above) : undefined
    return above
  }

  function heightsOf(): Map<number, number> {
    const heights = new Map<number, number>()
    for (const number of rows.keys()) {
      for (
        let [at, height] = [parentRow(number), 1];
        at !== undefined && height <= TYPES_FROM_BOTTOM.length;
        height++
      ) {
        if ((heights.get(at) ?? 0) >= height) break
        heights.set(at, height)
        at = parentRow(at)
      }
    }
    return heights
  }

  /** Rows of further levels, or whose parents form a circle, become epics. */
  function typeOf(number: number): WorkItemType {
    const seen = rows.get(number)
    heights ??= heightsOf()
    return seen?.type ?? TYPES_FROM_BOTTOM[heights.get(number) ?? 0] ?? 'epic'
  }

  function of(number: number, item: ImportedItem, report: CellProblemReporter): ImportedItem | ImportRowRejection {
    const twin = rows.get(number)?.twin
    const called = item.names[0] ?? ''
    if (twin !== undefined)
      return new ImportRowRejection('name', `Row ${twin} has the same key or id. Remove one row.`, called)
    const type = typeOf(number)
    const fields = keepParentStory(number, item.fields)
    const { externalId } = rows.get(number) ?? {}
    const externalIds = item.derivedId && externalId ? [externalId, ...item.externalIds] : item.externalIds
    const texts = nameJiraPeople(item, fields)
    const related = { ...item, externalIds, ...texts, type, linksOfRow: collectLinks(number, item, report) }
    const parent = parentOf(number, type)
    if (parent === undefined || !('reason' in parent)) return { ...related, parent }
    report(parent)
    return related
  }

  function nameJiraPeople({ jiraPeople: people, comments }: ImportedItem, fields: ImportedFields) {
    if (people === undefined) return { fields, comments }
    const { description } = fields
    return {
      fields: description ? { ...fields, description: jiraPeople.nameMentions(description) } : fields,
      comments: comments.map((comment) => jiraPeople.nameComment(comment)),
    }
  }

  /** A story cannot be below a story, so the parent of a sub-task stays as an attribute. */
  function keepParentStory(number: number, fields: ImportedFields): ImportedFields {
    const above = nearest(number)
    if (above === undefined || above === parentRow(number)) return fields
    const { jiraKey = '', key = '' } = rows.get(above) ?? {}
    const name = jiraKey || key || (rows.get(number)?.parents[0] ?? '')
    return { ...fields, attributes: addFreeAttribute(fields.attributes ?? {}, 'parentStory', name) }
  }

  function parentOf(number: number, type: WorkItemType): ImportedParent | CellProblem | undefined {
    const wrong = (value: string, reason: string): CellProblem => ({ field: 'parent', value, reason })
    const { parents = [] } = rows.get(number) ?? {}
    const [first] = parents
    if (first === undefined) return undefined
    const above = parentRow(number)
    if (above === undefined) {
      const keys = parents.filter((name) => PARENT_KEY_PATTERN.test(name))
      const own = keys.find((name) => name.startsWith(KEY_PREFIX_BY_TYPE.feature)) ?? keys[0]
      // Ignores an unknown parent of an epic, because epics hang on further items in some products.
      if (type === 'epic') return undefined
      if (own === undefined) {
        return rows.get(number)?.isSubTask && nearest(number) !== undefined
          ? undefined
          : wrong(first, 'The parent is neither in the file nor the key of an epic or a feature.')
      }
      const feature = own.startsWith(KEY_PREFIX_BY_TYPE.feature)
      if (feature && type === 'feature') return wrong(own, 'The parent of a feature must be an epic.')
      return {
        row: null,
        key: own,
        jiraKey: '',
        externalId: undefined,
        needs: { key: own, isFeature: feature, isDirect: true },
      }
    }
    const aboveType = typeOf(above)
    const { key = '', jiraKey = '', externalId } = rows.get(above) ?? {}
    const fits =
      type === 'userstory'
        ? aboveType === 'epic' || aboveType === 'feature'
        : type === 'feature' && aboveType === 'epic'
    if (!fits) {
      const rule = type === 'epic' ? 'An epic cannot have a parent.' : `A ${type} cannot be a child of a ${aboveType}.`
      return wrong(first, rule)
    }
    const higher = parentOf(above, aboveType)
    const needs = higher && 'needs' in higher ? higher.needs : null
    return { row: above, key, jiraKey, externalId, needs: needs && { ...needs, isDirect: false } }
  }
}
