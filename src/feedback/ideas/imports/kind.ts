import * as z from 'zod'
import { normalizeEmail } from '../../../http/schemas'
import { type Attributes, toOneLine } from '../../../text/attributes'
import {
  type CellProblemReporter,
  type ImportField,
  type ImportKind,
  ImportRowRejection,
} from '../../../workspace/imports/kind'
import {
  parseBooleanCell,
  readTitle,
  sanitizeOptionalField,
  validateImportRow,
} from '../../../workspace/imports/row-values'
import type { TagName } from '../queries/tags'
import { toTagNames } from '../read'
import { CreateFeedbackItem } from '../schema'
import { feedbackPresets } from './presets'
import * as values from './values'

const {
  title,
  type,
  target_audience,
  value_proposition,
  long_description,
  tags,
  collections,
  attributes,
  is_anonymous,
} = CreateFeedbackItem.shape

/** Fields that a row of a file can set; ids of this workspace mean nothing in a file. */
const ImportedIdea = z.object({
  ...{ title, target_audience, value_proposition, long_description, collections, attributes, is_anonymous, tags },
  type: type.unwrap().optional(),
})

export interface ImportedIdeaRow {
  key: string | null
  name: string | null
  slug: string
  author: string | null
  authorName: string | null
  categoryName: string | null
  statusName: string | null
  createdAt: number | null
  fields: Omit<z.output<typeof ImportedIdea>, 'tags'>
  tags: TagName[] | null
  votes: values.ImportedVote[]
  comments: values.ImportedComment[]
}

const MAX_NAME_CHARACTERS = 200

const FEEDBACK_IMPORT_FIELDS: readonly ImportField[] = [
  {
    name: 'title',
    aliases: ['summary', 'idea', 'subject', 'name of the idea', 'ticket name', 'issue'],
    required: true,
  },
  { name: 'type', aliases: ['kind'], read: values.parseItemType },
  { name: 'externalKey', aliases: ['key'] },
  { name: 'name', aliases: ['number', 'identifier'] },
  { name: 'slug', aliases: [] },
  {
    name: 'description',
    aliases: ['long description', 'details', 'body', 'text', 'content'],
    member: 'long_description',
  },
  { name: 'targetAudience', aliases: ['audience'], member: 'target_audience' },
  { name: 'valueProposition', aliases: ['value', 'benefit'], member: 'value_proposition' },
  { name: 'category', aliases: ['topic'] },
  { name: 'status', aliases: ['state'] },
  { name: 'tags', aliases: ['labels'], many: true, json: true, read: values.parseNames },
  { name: 'collections', aliases: ['collection'], many: true, json: true, read: values.parseNames },
  { name: 'author', aliases: ['author email', 'email', 'created by email', 'submitter email'] },
  { name: 'authorName', aliases: ['created by', 'submitter', 'submitted by'] },
  { name: 'isAnonymous', aliases: ['anonymous'], json: true, member: 'is_anonymous', read: parseBooleanCell },
  { name: 'createdAt', aliases: ['created', 'date', 'created date', 'submitted at'], format: 'date' },
  { name: 'votes', aliases: ['voters', 'voter emails'], many: true, json: true },
  { name: 'comments', aliases: [], json: true },
]

const addAttributes = (attributes: Attributes, more: Readonly<Record<string, string | undefined>>): Attributes => ({
  ...Object.fromEntries(Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  ...attributes,
})

function readIdeaRow(
  given: Readonly<Record<string, string>>,
  attributes: Attributes,
  report: CellProblemReporter,
): ImportedIdeaRow | ImportRowRejection {
  if (given.title === undefined) return new ImportRowRejection('title', 'Must not be empty. Every item has a title.')
  const { author, createdAt, externalKey, slug } = given
  const readShortText = (field: 'authorName' | 'category' | 'status' | 'name') => {
    const text = given[field]
    if ((text?.length ?? 0) <= MAX_NAME_CHARACTERS) return text
    report({ field, value: text ?? '', reason: `Must have at most ${MAX_NAME_CHARACTERS} characters.` })
    return undefined
  }
  const [authorName, category, status, name] = (['authorName', 'category', 'status', 'name'] as const).map(
    readShortText,
  )
  const email = author === undefined ? undefined : normalizeEmail(author)
  if (author !== undefined && email === undefined)
    report({ field: 'author', value: author, reason: 'Must be an e-mail address, like ada@example.com.' })
  const at = createdAt === undefined ? undefined : values.parseImportedMoment(createdAt)
  if (createdAt !== undefined && at === undefined)
    report({ field: 'createdAt', value: createdAt, reason: 'Must be a date, like 2026-01-31.' })
  // Keeps the identifier in the file, and an author without an address, as attributes.
  const more = { id: name, author: email === undefined ? (authorName ?? author) : undefined }
  const cells = {
    values: { ...given, title: readTitle('title', given.title, report) },
    attributes: addAttributes(attributes, more),
  }
  const read = validateImportRow(ImportedIdea, FEEDBACK_IMPORT_FIELDS, cells, report)
  if (read instanceof ImportRowRejection) return read
  const { tags, ...own } = read
  if (own.long_description) own.long_description = sanitizeOptionalField(own.long_description, 'description', report)
  const votes = given.votes === undefined ? [] : values.parseVotes(given.votes, report)
  const comments = given.comments === undefined ? [] : values.parseComments(given.comments, report)
  return {
    ...{ key: externalKey ?? null, name: name ?? null, slug: values.toSlugWithoutNumber(slug, own.title) },
    ...{ author: email ?? null, authorName: authorName === undefined ? null : toOneLine(authorName) },
    ...{ categoryName: category ?? null, statusName: status ?? null, createdAt: at ?? null },
    ...{ fields: own, tags: tags ? toTagNames(tags) : null, votes, comments },
  }
}

export const feedbackImportKind: ImportKind<ImportedIdeaRow> = {
  name: 'feedback',
  fields: FEEDBACK_IMPORT_FIELDS,
  presets: feedbackPresets,
  // Bounded, because `voting.ts` holds the votes of all rows in memory.
  maxRows: 100_000,
  read: readIdeaRow,
}
