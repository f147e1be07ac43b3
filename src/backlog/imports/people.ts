import { normalizeEmail } from '../../http/schemas'
import { toOneLine } from '../../text/attributes'
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
