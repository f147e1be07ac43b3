import { type ImportedComment, parseComments } from '../../feedback/imports/values'
import { type Attributes, toOneLine } from '../../text/attributes'
import { parseIsoMoment } from '../../text/moments'
import { addFreeAttribute } from '../../workspace/imports/attributes'
import { MAX_EXPORTED_ROW_LENGTH } from '../../workspace/imports/columns'
import {
  type ForeignItemType,
  findItemType,
  findProgress,
  isPlainTypeName,
} from '../../workspace/imports/foreign-names'
import {
  type CellProblemReporter,
  type ImportField,
  type ImportKind,
  ImportRowRejection,
} from '../../workspace/imports/kind'
import type { NamedMember } from '../../workspace/imports/people'
import {
  parseBooleanCell,
  parseJsonCell,
  readTitle,
  sanitizeOptionalField,
  TEXT_FORMAT_FIELD,
  validateImportRow,
} from '../../workspace/imports/row-values'
import { OWN_EXPORT_SOURCE } from '../own-export'
import type { WorkItemType } from '../work-items/queries/record'
import { PROGRESS_VALUES } from '../work-items/schema'
import { type DerivedId, readRowIdentity } from './identity'
import { toCommentList } from './jira-comments'
import { type JiraPerson, readJiraPeople } from './jira-people'
import { type ImportedLink, type LinkOfRow, readLinks } from './links'
import { type CardMembers, lookUpAssignee, lookUpReporter, lookUpTeam, readAssignees, readCardMembers } from './people'
import { backlogPresets } from './presets'
import { type ImportedFields, ImportedWorkItem } from './schema'
import { SpareAttributes } from './spare-attributes'
import { type ImportedExternalId, parseExternalIds, parseTags, parseUrls, splitLines } from './values'

export interface ImportedItem {
  type: WorkItemType | undefined
  isSubTask: boolean
  /** Level of the row in a file whose titles stand in a column per level. */
  level: number | undefined
  key: string
  names: string[]
  parents: string[]
  fields: ImportedFields
  comments: ImportedComment[]
  externalIds: ImportedExternalId[]
  derivedId: DerivedId | undefined
  assignee: NamedMember | undefined
  members: CardMembers | undefined
  /** Names of solution versions. */
  versions: string[]
  /** People of a row of Jira. */
  jiraPeople: JiraPerson[] | undefined
  links: ImportedLink[]
  linksOfRow?: LinkOfRow[]
  team: string | undefined
  /** Addresses. */
  assignees: string[]
  spareAttributes: SpareAttributes['names']
  createdAt: number | undefined
  parent?: ImportedParent | undefined
}

export interface ImportedParent {
  row: number | null
  /** Keys of the parent, in this product and in Jira. */
  key: string
  jiraKey: string
  externalId: ImportedExternalId | undefined
  needs: { key: string; isFeature: boolean; isDirect: boolean } | null
}

const MAX_NAMES_PER_ROW = 10
const MAX_VERSIONS_PER_ROW = 100
/** Longest name of a solution version. */
export const MAX_VERSION_NAME_CHARACTERS = 200
const UNKNOWN_TYPE_REASON =
  'The type is unknown, and stays as the attribute issueType. Map the value to epic, feature or userstory.'
const UNKNOWN_CATEGORY_REASON = 'The category of the status is unknown. Map the value to to-do, in-progress or done.'
const UNKNOWN_PROGRESS_REASON =
  'The progress is unknown, and stays as it is. Map the value to to-do, in-progress or done.'
const UNKNOWN_STATUS_REASON =
  'The status is unknown, and stays as the external progress. Map the value to to-do, in-progress or done.'

const parseNumber = (text: string): unknown => (/^[+-]?\d/.test(text) ? Number(text) : text)

const BACKLOG_IMPORT_FIELDS: readonly ImportField[] = [
  {
    name: 'summary',
    aliases: ['title', 'task name', 'card name', 'ticket name', 'subject', 'issue'],
    required: true,
  },
  { name: 'type', aliases: ['issue type', 'item type'], word: 'typeWord', values: ['epic', 'feature', 'userstory'] },
  { name: 'externalKey', aliases: ['key'] },
  { name: 'name', aliases: ['id', 'identifier'], many: true },
  { name: 'parent', aliases: ['parent key', 'epic', 'feature', 'epic link'], many: true },
  { name: 'description', aliases: [] },
  { name: 'progress', aliases: [], word: 'statusWord', values: PROGRESS_VALUES },
  { name: 'status', aliases: ['state', 'list'], word: 'statusWord', values: PROGRESS_VALUES },
  { name: 'statusCategory', aliases: ['state category', 'status type'], values: PROGRESS_VALUES },
  { name: 'completedAt', aliases: [], json: true },
  { name: 'progressPercentage', aliases: [], json: true, format: 'number', read: parseNumber },
  { name: 'tags', aliases: ['labels'], many: true, read: parseTags },
  { name: 'startDate', aliases: ['start'], format: 'date' },
  { name: 'endDate', aliases: ['due date', 'due', 'end'], format: 'date' },
  { name: 'storyPoint', aliases: ['story points', 'points'], json: true, format: 'number' },
  { name: 'estimate', aliases: [], json: true, format: 'number' },
  { name: 'businessValue', aliases: ['value'], json: true, format: 'number' },
  { name: 'remainingTime', aliases: [], json: true, format: 'number' },
  { name: 'score', aliases: [], json: true, format: 'number', read: parseNumber },
  { name: 'backlog', aliases: [], json: true, read: parseBooleanCell },
  { name: 'businessGoal', aliases: [] },
  { name: 'color', aliases: [] },
  { name: 'firstChild', aliases: [] },
  { name: 'urls', aliases: ['url', 'link', 'links'], many: true, json: true, read: parseUrls },
  { name: 'jiraId', aliases: [] },
  { name: 'jiraKey', aliases: [] },
  { name: 'externalProgress', aliases: [] },
  { name: 'externalIds', aliases: [], json: true },
  { name: 'externalSource', aliases: [] },
  TEXT_FORMAT_FIELD,
  { name: 'externalId', aliases: [], many: true, json: true },
  { name: 'createdAt', aliases: ['created', 'created date', 'date created'], format: 'date' },
  { name: 'scoringInputs', aliases: [], json: true, member: 'scoring', read: parseJsonCell },
  { name: 'teamName', aliases: [] },
  { name: 'assigneeAddresses', aliases: [], json: true },
  { name: 'comments', aliases: [], json: true },
  { name: 'jiraComment', aliases: [], many: 'array' },
  { name: 'jiraPeople', aliases: [], many: 'cells' },
  { name: 'linkedItems', aliases: [], many: 'cells', json: true },
  { name: 'assignee', aliases: ['assigned to', 'assignee email'], many: true },
  { name: 'reporter', aliases: [], many: true },
  { name: 'cardMembers', aliases: [], many: true },
  {
    name: 'solutionVersion',
    aliases: ['solution version', 'fix version', 'fix versions', 'fix version/s'],
    many: true,
  },
]

const LIST_FIELDS = ['comments', 'externalIds'] as const

const isListCell = (text: string | undefined): text is string => text?.trimStart().startsWith('[') === true

/** A column of another product may have the name of a list, like `Comments` with a number. */
const pickOtherCells = (values: Readonly<Record<string, string>>): Attributes =>
  Object.fromEntries(
    LIST_FIELDS.flatMap((name) => {
      const text = values[name]
      return text === undefined || isListCell(text) ? [] : [[name, text]]
    }),
  )

function readItemType(name: string, report: CellProblemReporter): ForeignItemType {
  const type = findItemType(name)
  if (type === undefined) report({ field: 'type', value: name, reason: UNKNOWN_TYPE_REASON, became: 'userstory' })
  return type ?? 'userstory'
}

/**
 * The category of a status decides, because a team may name its statuses freely. The time of the completion decides
 * where no status says more.
 */
function readProgress(
  { status, statusCategory, completedAt, progress: own, statusWord, externalSource }: Readonly<Record<string, string>>,
  report: CellProblemReporter,
): Pick<ImportedFields, 'progress' | 'externalProgress'> {
  // Exports of this service keep free texts.
  if (own !== undefined && externalSource !== OWN_EXPORT_SOURCE)
    return readOwnProgress(own, statusWord ?? status ?? own, report)
  const byCategory = statusCategory === undefined ? undefined : findProgress(statusCategory)
  const byCompletion = completedAt === undefined ? undefined : 'done'
  if (status === undefined) {
    const progress = byCategory ?? byCompletion
    if (progress !== undefined) return { progress }
    if (statusCategory !== undefined && own === undefined)
      report({ field: 'statusCategory', value: statusCategory, reason: UNKNOWN_CATEGORY_REASON, became: 'to-do' })
    return {}
  }
  const progress = byCategory ?? findProgress(status) ?? byCompletion
  if (progress === undefined && own === undefined)
    report({ field: 'status', value: status, reason: UNKNOWN_STATUS_REASON, became: 'to-do' })
  return { progress: progress ?? 'to-do', externalProgress: statusWord ?? status }
}

/** A column of progress holds our values, words for our values, or free texts. */
function readOwnProgress(
  own: string,
  word: string,
  report: CellProblemReporter,
): Pick<ImportedFields, 'progress' | 'externalProgress'> {
  const found = findProgress(own)
  if (found === undefined) report({ field: 'progress', value: own, reason: UNKNOWN_PROGRESS_REASON, became: own })
  const progress = found ?? own
  return { progress, ...(word !== progress && { externalProgress: word }) }
}

const isRowOfJira = ({ jiraKey, jiraComment, externalSource }: Readonly<Record<string, string>>) =>
  (jiraKey !== undefined || jiraComment !== undefined) && externalSource !== OWN_EXPORT_SOURCE

const VERSION_REASON =
  'The product has no open version with this name. Create the version first, or let the import create missing versions.'

function readVersions(text: string | undefined, spare: SpareAttributes, report: CellProblemReporter): string[] {
  const names = [...new Set(splitLines(text).map(toOneLine))].slice(0, MAX_VERSIONS_PER_ROW)
  spare.reserve('fixVersions', names.join(', '))
  for (const value of names) {
    const isName = value.length <= MAX_VERSION_NAME_CHARACTERS
    report({
      ...{ field: 'solutionVersion', value, ...spare.describe('fixVersions', VERSION_REASON) },
      ...(isName && { lookup: { in: 'versions', key: value, isCreatable: true } }),
    })
  }
  return names
}

function readCreationTime(text: string | undefined, report: CellProblemReporter): number | undefined {
  const at = text === undefined ? undefined : parseIsoMoment(text)
  if (text !== undefined && at === undefined)
    report({ field: 'createdAt', value: text, reason: 'Must be a date, like 2026-01-31.' })
  return at
}

export const backlogImportKind: ImportKind<ImportedItem> = {
  name: 'backlog',
  noun: 'work items',
  operation: 'POST /api/initiatives/{product_external_key}/backlog/import',
  fields: BACKLOG_IMPORT_FIELDS,
  presets: backlogPresets,
  // Bounded, because the names of all rows are held in memory.
  maxRows: 100_000,
  maxRowLength: MAX_EXPORTED_ROW_LENGTH,
  read(given, attributes, report) {
    const values = { ...given }
    if (values.summary === undefined)
      return new ImportRowRejection('summary', 'Must not be empty. Every item needs a title.')
    const type = values.type === undefined ? undefined : readItemType(values.type, report)
    values.summary = readTitle('summary', values.summary, report)
    const own = { ...attributes, ...pickOtherCells(values) }
    const reporter = lookUpReporter(values.reporter, report)
    const typeName = values.typeWord ?? values.type
    const issueType = typeName === undefined || isPlainTypeName(typeName) ? '' : typeName
    const more = { issueType, reporter: reporter?.name, completedAt: values.completedAt }
    const read = readProgress(values, report)
    if (read.progress !== undefined) delete values.progress
    const cells = {
      values,
      attributes: Object.entries(more).reduce((all, [name, text]) => addFreeAttribute(all, name, text ?? ''), own),
      otherwise: read,
    }
    const spare = new SpareAttributes(cells.attributes)
    const assignee = lookUpAssignee(values.assignee, spare, report)
    const members = readCardMembers(values.cardMembers, spare, report)
    const fields = validateImportRow(ImportedWorkItem, BACKLOG_IMPORT_FIELDS, cells, report)
    if (fields instanceof ImportRowRejection) return fields
    if (fields.description) fields.description = sanitizeOptionalField(fields.description, 'description', report, given)
    const said = values.jiraComment === undefined ? values.comments : toCommentList(values.jiraComment)
    const comments = isListCell(said) ? parseComments(said, report, given) : []
    const listedIds = isListCell(values.externalIds) ? parseExternalIds(values.externalIds, report) : []
    const identity = readRowIdentity(given, attributes, report)
    const externalIds = [...identity.externalIds, ...listedIds]
    const { externalKey = '', jiraKey = '', jiraId = '' } = values
    const ids = [...splitLines(values.externalId), ...splitLines(values.name)]
    // Several items of a product may have the same id in Jira.
    const isOwnExport = values.externalSource === OWN_EXPORT_SOURCE
    const names = (isOwnExport ? [externalKey] : [externalKey, jiraKey, jiraId, ...ids]).filter((name) => name !== '')
    const sub = type === 'sub'
    const level = values.level === undefined ? undefined : Number(values.level)
    return {
      ...{ type: sub ? 'userstory' : type, isSubTask: sub, level, fields, comments, externalIds },
      ...{
        derivedId: identity.derived,
        assignee,
        members,
        versions: readVersions(values.solutionVersion, spare, report),
      },
      links: readLinks(values.linkedItems, report),
      jiraPeople: isRowOfJira(values)
        ? readJiraPeople(values.jiraPeople, { assignee: values.assignee, reporter: values.reporter })
        : undefined,
      team: lookUpTeam(values.teamName, spare, report),
      ...{ assignees: readAssignees(values.assigneeAddresses, spare, report), spareAttributes: spare.names },
      createdAt: readCreationTime(values.createdAt, report),
      ...{
        key: externalKey,
        names: names.slice(0, MAX_NAMES_PER_ROW),
        parents: splitLines(values.parent).slice(0, MAX_NAMES_PER_ROW),
      },
    }
  },
}
