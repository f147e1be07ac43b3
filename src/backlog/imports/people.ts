import { normalizeEmail } from '../../http/schemas'
import { type Attributes, MAX_ATTRIBUTE_TEXT, toOneLine } from '../../text/attributes'
import { addFreeAttribute } from '../../workspace/imports/attributes'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { type NamedMember, readNamedMember } from '../../workspace/imports/people'
import { parseJsonCell } from '../../workspace/imports/row-values'
import { splitLines } from './values'

const MEMBER_REASON = 'No member has this address, and not exactly one member has this full name.'

export function lookUpMember(
  field: 'assignee' | 'reporter',
  text: string | undefined,
  report: CellProblemReporter,
): NamedMember | undefined {
  const member = readNamedMember(splitLines(text))
  if (member) {
    const { name: value, key } = member
    report({ field, value, became: `attributes.${field}`, reason: MEMBER_REASON, lookup: { in: 'members', key } })
  }
  return member
}

const TEAM_REASON = 'The workspace has no team with this name. Create the team first.'

export function lookUpTeam(text: string | undefined, report: CellProblemReporter): string | undefined {
  const value = text === undefined ? '' : toOneLine(text)
  if (value === '') return undefined
  const lookup = { in: 'teams', key: value } as const
  report({ field: 'team', value, became: 'attributes.team', reason: TEAM_REASON, lookup })
  return value
}

const MAX_ASSIGNEES_PER_ROW = 100
const ASSIGNEES_REASON = `Must be a JSON array of at most ${MAX_ASSIGNEES_PER_ROW} e-mail addresses.`

/** A JSON array of addresses. */
export function readAssignees(text: string | undefined, report: CellProblemReporter): string[] {
  if (text === undefined) return []
  const list = parseJsonCell(text)
  const wrong = (value: string) => report({ field: 'assignees', value, reason: ASSIGNEES_REASON })
  if (!Array.isArray(list) || list.length > MAX_ASSIGNEES_PER_ROW) {
    wrong(text)
    return []
  }
  const addresses = list.flatMap((one) => {
    const address = typeof one === 'string' ? normalizeEmail(one) : undefined
    if (address === undefined) wrong(JSON.stringify(one))
    return address ?? []
  })
  for (const value of new Set(addresses)) {
    const lookup = { in: 'members', key: JSON.stringify({ emails: [value], names: [] }) } as const
    report({ field: 'assignees', value, became: 'attributes.assignee', reason: MEMBER_REASON, lookup })
  }
  return [...new Set(addresses)]
}

const CARD_MEMBERS_REASON = 'No member has one of these addresses or, alone, one of these full names.'
const NO_ROOM_REASON = `The attribute members has no room for the names, with at most ${MAX_ATTRIBUTE_TEXT} characters. Shorten the names, or map a column to null.`

export interface CardMembers {
  /** Key of the lookup of the first of the people who is a member of the workspace. */
  key: string
  people: NamedMember[]
}

/** People of a card, separated by commas. The first known person is the assignee, and the others stay as an attribute. */
export function readCardMembers(
  text: string | undefined,
  attributes: Attributes,
  report: CellProblemReporter,
): CardMembers | undefined {
  const names = [...new Set((text ?? '').split(/[,\n]/).map(toOneLine))].filter((name) => name !== '')
  const all = readNamedMember(names)
  if (!all) return undefined
  const value = names.join(', ')
  if (addFreeAttribute(attributes, 'members', value) === attributes) {
    report({ field: 'cardMembers', value, reason: NO_ROOM_REASON })
    return undefined
  }
  const { key } = all
  report({
    field: 'cardMembers',
    value,
    became: 'attributes.members',
    reason: CARD_MEMBERS_REASON,
    lookup: { in: 'members', key },
  })
  return { key, people: names.flatMap((name) => readNamedMember([name]) ?? []) }
}
