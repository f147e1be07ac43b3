import * as z from 'zod'
import { MAX_STORED_HTML_CHARACTERS, text } from '../../../http/schemas'
import { NOTIFY_CHOICES } from '../../../people/notices/schema'
import { toOneLine } from '../../../text/attributes'
import { parseIsoMoment } from '../../../text/moments'
import { foldColumnName, MAX_EXPORTED_ROW_LENGTH } from '../../../workspace/imports/columns'
import { EXTERNAL_ID_FIELDS, type ImportedId, readImportedId } from '../../../workspace/imports/external-id'
import {
  type CellProblem,
  type CellProblemReporter,
  type ImportField,
  type ImportKind,
  ImportRowRejection,
} from '../../../workspace/imports/kind'
import {
  readTitle,
  sanitizeOptionalField,
  TEXT_FORMAT_FIELD,
  validateImportRow,
} from '../../../workspace/imports/row-values'
import { parseNames } from '../../imports/values'
import { CHANGELOG_STATUSES, type ChangelogStatus, CreateChangelogEntry } from '../schema'
import { changelogPresets } from './presets'

const { title, labels, ideas, versions, notify } = CreateChangelogEntry.shape

const ImportedEntry = z.object({
  ...{ title, ideas, versions, labels: labels.unwrap().optional(), notify: notify.unwrap().optional() },
  content: text(MAX_STORED_HTML_CHARACTERS).optional(),
})

/** State of a new entry. The clock of the run decides whether a time of publication has come. */
export interface ImportedState {
  /** Null if only the time decides. */
  status: ChangelogStatus | null
  at: number | null
}

export interface ImportedEntryRow {
  key: string | null
  /** External key of the product; null for the product of the run. */
  product: string | null
  externalId: ImportedId | undefined
  createdAt: number | null
  state: ImportedState
  fields: z.output<typeof ImportedEntry>
}

const CHANGELOG_IMPORT_FIELDS: readonly ImportField[] = [
  { name: 'title', aliases: ['headline', 'name', 'subject'], required: true },
  { name: 'externalKey', aliases: ['key'] },
  { name: 'content', aliases: ['body', 'description', 'text', 'html', 'details'] },
  { name: 'labels', aliases: ['tags', 'categories', 'category'], many: true, json: true, read: parseNames },
  { name: 'product', aliases: [] },
  { name: 'status', aliases: ['state'], values: CHANGELOG_STATUSES },
  { name: 'notify', aliases: [], values: NOTIFY_CHOICES },
  { name: 'publishAt', aliases: ['scheduled for', 'scheduled at'], format: 'date' },
  {
    name: 'publishedAt',
    aliases: ['published', 'published on', 'published date', 'publication date', 'release date', 'date'],
    format: 'date',
  },
  { name: 'createdAt', aliases: ['created', 'created date'], format: 'date' },
  { name: 'ideas', aliases: [], many: true, json: true, read: parseNames },
  { name: 'versions', aliases: [], many: true, json: true, read: parseNames },
  ...EXTERNAL_ID_FIELDS,
  TEXT_FORMAT_FIELD,
]

const STATUS_WORDS: Readonly<Record<ChangelogStatus, string>> = {
  draft: 'draft, unpublished, hidden, private, archived, pending',
  scheduled: 'scheduled, planned',
  published: 'published, live, public, posted, released, sent',
}
const STATUS_BY_WORD: ReadonlyMap<string, ChangelogStatus> = new Map(
  CHANGELOG_STATUSES.flatMap((status) =>
    STATUS_WORDS[status].split(', ').map((word): [string, ChangelogStatus] => [foldColumnName(word), status]),
  ),
)

const LOOKUPS = { ideas: 'ideaKeys', versions: 'versionKeys' } as const
const lookUpKey = (field: keyof typeof LOOKUPS, value: string): CellProblem => ({
  ...{ field, value, reason: 'No record that the key may read has this external key.' },
  lookup: { in: LOOKUPS[field], key: value },
})

type GivenValues = Readonly<Record<string, string>>

function readMoment(field: string, given: GivenValues, report: CellProblemReporter): number | null {
  const value = given[field]
  const at = value === undefined ? undefined : parseIsoMoment(value)
  if (value !== undefined && at === undefined) report({ field, value, reason: 'Must be a date, like 2026-01-31.' })
  return at ?? null
}

/** An entry is never published by a word that nobody knows. */
function readState(given: GivenValues, createdAt: number | null, report: CellProblemReporter): ImportedState {
  const publishAt = readMoment('publishAt', given, report)
  const publishedAt = readMoment('publishedAt', given, report)
  const wrong = (reason: string): ImportedState => {
    report({ field: 'status', value: given.status ?? null, reason, became: 'draft' })
    return { status: 'draft', at: null }
  }
  if (given.status === undefined) return { status: null, at: publishedAt ?? publishAt }
  const status = STATUS_BY_WORD.get(foldColumnName(given.status))
  if (status === undefined) return wrong(`Must be one of ${CHANGELOG_STATUSES.join(', ')}.`)
  if (status === 'draft') return { status, at: null }
  if (status === 'published') return { status, at: publishedAt ?? publishAt ?? createdAt }
  const at = publishAt ?? publishedAt
  return at === null ? wrong('A scheduled entry needs its time in publishAt.') : { status, at }
}

function readEntryRow(
  given: GivenValues,
  _attributes: object,
  report: CellProblemReporter,
): ImportedEntryRow | ImportRowRejection {
  if (given.title === undefined) return new ImportRowRejection('title', 'Must not be empty. Every entry has a title.')
  const values = { ...given, title: readTitle('title', given.title, report) }
  const fields = validateImportRow(ImportedEntry, CHANGELOG_IMPORT_FIELDS, { values, attributes: {} }, report)
  if (fields instanceof ImportRowRejection) return fields
  if (fields.content) fields.content = sanitizeOptionalField(fields.content, 'content', report, given)
  for (const field of ['ideas', 'versions'] as const)
    for (const key of fields[field] ?? []) report(lookUpKey(field, key))
  const createdAt = readMoment('createdAt', given, report)
  return {
    ...{ key: given.externalKey ?? null, product: given.product === undefined ? null : toOneLine(given.product) },
    ...{ externalId: readImportedId({ ...given, name: undefined }, report), createdAt, fields },
    state: readState(given, createdAt, report),
  }
}

export const changelogImportKind: ImportKind<ImportedEntryRow> = {
  name: 'changelog',
  noun: 'changelog entries',
  operation: 'POST /api/v2/changelog/import',
  fields: CHANGELOG_IMPORT_FIELDS,
  presets: changelogPresets,
  maxRows: 100_000,
  maxRowLength: MAX_EXPORTED_ROW_LENGTH,
  hasNoAttributes: true,
  read: readEntryRow,
}
