import { normalizeEmail } from '../../http/schemas'
import { type Attributes, toOneLine } from '../../text/attributes'
import { parseIsoMoment } from '../../text/moments'
import { addFreeAttribute } from '../../workspace/imports/attributes'
import { foldColumnName } from '../../workspace/imports/columns'
import { EXTERNAL_ID_FIELDS, type ImportedId, readImportedId } from '../../workspace/imports/external-id'
import { abbreviate, type ImportKind, ImportRowRejection } from '../../workspace/imports/kind'
import { findNameProblem } from '../members/read'
import { ASSIGNABLE_ROLES } from '../members/schema'
import { createMailJudge, SUPPRESSED } from './mail-columns'
import { peoplePresets } from './presets'
import { findRefusalList } from './refusal-files'
import { readSegmentNames } from './segment-names'
import { type RowSuppression, readSuppressions } from './suppression-values'

export interface ImportedPerson {
  email: string
  firstName: string | null
  lastName: string | null
  role: (typeof ASSIGNABLE_ROLES)[number] | null
  attributes: Attributes
  externalId: ImportedId | undefined
  /** Time of an own export; null for the time of the import. */
  createdAt: number | null
  /** Names of manual segments. */
  segments: string[] | undefined
  /** The row says that the person gets no mail, and the import does not take this over. */
  refusesMail?: true
  suppressions?: RowSuppression[]
}

const ASSIGNABLE_ROLE_BY_NAME = new Map<string, ImportedPerson['role']>(
  ASSIGNABLE_ROLES.map((role) => [foldColumnName(role), role]),
)

export const peopleImportKind: ImportKind<ImportedPerson> = {
  name: 'people',
  noun: 'people',
  operation: 'POST /api/v2/idea-manager/members/import-users',
  fields: [
    { name: 'email', aliases: ['email address', 'mail'], required: true },
    { name: 'name', aliases: ['full name'] },
    { name: 'firstName', aliases: ['given name', 'forename'] },
    { name: 'lastName', aliases: ['surname', 'family name'] },
    { name: 'role', aliases: [], values: ASSIGNABLE_ROLES },
    { name: 'memberSince', aliases: [], format: 'date' },
    { name: 'segmentNames', aliases: [], json: true },
    { name: SUPPRESSED, aliases: [], json: true },
    ...EXTERNAL_ID_FIELDS,
  ],
  presets: peoplePresets,
  createJudge: createMailJudge,
  judgeFile: findRefusalList,
  read(given, attributes, report) {
    const { email = '', name = '', firstName = '', lastName = '', role, memberSince, segmentNames, source } = given
    if (email === '')
      return new ImportRowRejection('email', 'Must not be empty. Give an address, like ada@example.com.')
    const address = normalizeEmail(email)
    if (address === undefined)
      return new ImportRowRejection('email', 'Must be an e-mail address, like ada@example.com.', email)
    const last = toOneLine(lastName)
    const names = { firstName: toOneLine(firstName) || extractFirstName(toOneLine(name), last), lastName: last }
    const readName = (field: string, text: string) => {
      const reason = findNameProblem(text)
      if (reason) report({ field, value: text, reason })
      return reason ? null : text || null
    }
    const assignedRole = role === undefined ? null : (ASSIGNABLE_ROLE_BY_NAME.get(foldColumnName(role)) ?? null)
    if (role !== undefined && assignedRole === null)
      report({ field: 'role', value: role, reason: describeRoleProblem(role) })
    const externalId = readImportedId({ ...given, name: undefined }, report)
    const suppressions = readSuppressions(given, report)
    const usesSource = externalId !== undefined && given.externalSource === undefined
    return {
      email: address,
      firstName: readName(firstName === '' ? 'name' : 'firstName', names.firstName),
      lastName: readName('lastName', last),
      role: assignedRole,
      attributes: usesSource ? attributes : addFreeAttribute(attributes, 'source', source ?? ''),
      externalId,
      createdAt: memberSince === undefined ? null : (parseIsoMoment(memberSince) ?? null),
      ...(given.refusesMail !== undefined && { refusesMail: true }),
      ...(suppressions.length && { suppressions }),
      segments: segmentNames === undefined ? undefined : readSegmentNames(segmentNames, report),
    }
  },
}

function extractFirstName(name: string, lastName: string): string {
  return lastName !== '' && name.endsWith(` ${lastName}`) ? name.slice(0, -lastName.length).trim() : name
}

function describeRoleProblem(role: string): string {
  if (foldColumnName(role) === 'owner')
    return 'An import cannot create owners. Import the person with another role, then modify the user.'
  return `The role "${abbreviate(role)}" is unknown. Use one of ${ASSIGNABLE_ROLES.join(', ')}.`
}
