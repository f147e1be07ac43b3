import { normalizeEmail } from '../../http/schemas'
import { MAX_ATTRIBUTE_TEXT, toOneLine } from '../../text/attributes'
import type { CellProblem, CellProblemReporter } from '../../workspace/imports/kind'
import { type NamedMember, readNamedMember } from '../../workspace/imports/people'
import { parseJsonCell } from '../../workspace/imports/row-values'
import type { SpareAttributes } from './spare-attributes'
import { splitLines } from './values'

const MEMBER_REASON = 'This is neither the address of a member nor the full name of exactly one member.'

// Longer keys name no member, which bounds the lookups of a file.
const MAX_MEMBER_KEY_CHARACTERS = 2_000

function lookUpMember(
  field: 'assignee' | 'reporter',
  text: string | undefined,
  report: CellProblemReporter,
  end: (value: string) => Pick<CellProblem, 'became' | 'reason'>,
): NamedMember | undefined {
  const member = readNamedMember(splitLines(text))
  if (!member) return undefined
  const { name: value, key } = member
  const isShort = key.length <= MAX_MEMBER_KEY_CHARACTERS
  report({ field, value, ...end(value), ...(isShort && { lookup: { in: 'members', key } }) })
  return isShort ? member : undefined
}

export const lookUpReporter = (text: string | undefined, report: CellProblemReporter) =>
  lookUpMember('reporter', text, report, () => ({ became: 'attributes.reporter', reason: MEMBER_REASON }))

export const lookUpAssignee = (text: string | undefined, spare: SpareAttributes, report: CellProblemReporter) =>
  lookUpMember('assignee', text, report, (value) => {
    spare.reserve('assignee', value)
    return spare.describe('assignee', MEMBER_REASON)
  })

const MAX_TEAM_NAME_CHARACTERS = 200
const TEAM_REASON = 'The workspace has no team with this name. Create the team first.'

export function lookUpTeam(
  text: string | undefined,
  spare: SpareAttributes,
  report: CellProblemReporter,
): string | undefined {
  const value = text === undefined ? '' : toOneLine(text)
  if (value === '') return undefined
  const isName = value.length <= MAX_TEAM_NAME_CHARACTERS
  if (isName) spare.reserve('team', value)
  const lookup = { in: 'teams', key: value } as const
  report({ field: 'team', value, ...spare.describe('team', TEAM_REASON), ...(isName && { lookup }) })
  return isName ? value : undefined
}

const MAX_ASSIGNEES_PER_ROW = 100
const ASSIGNEES_REASON = `Must be a JSON array of at most ${MAX_ASSIGNEES_PER_ROW} e-mail addresses.`

/** A JSON array of addresses. */
export function readAssignees(text: string | undefined, spare: SpareAttributes, report: CellProblemReporter): string[] {
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
  const listed = [...new Set(addresses)]
  spare.reserve('assignee', listed.join(', '))
  for (const value of listed) {
    const lookup = { in: 'members', key: JSON.stringify({ emails: [value], names: [] }) } as const
    report({ field: 'assignees', value, ...spare.describe('assignee', MEMBER_REASON), lookup })
  }
  return listed
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
  spare: SpareAttributes,
  report: CellProblemReporter,
): CardMembers | undefined {
  const names = [...new Set((text ?? '').split(/[,\n]/).map(toOneLine))].filter((name) => name !== '')
  const value = names.join(', ')
  if (value !== '' && !spare.reserve('members', value)) report({ field: 'cardMembers', value, reason: NO_ROOM_REASON })
  const all = spare.names.members ? readNamedMember(names) : undefined
  if (!all) return undefined
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
