import * as z from 'zod'
import { MAX_STORED_HTML_CHARACTERS, normalizeEmail, text } from '../../http/schemas'
import { type Attributes, toOneLine } from '../../text/attributes'
import { slugifyName } from '../../text/slug'
import { MAX_EXPORTED_ROW_LENGTH } from '../../workspace/imports/columns'
import { EXTERNAL_ID_FIELDS, type ImportedId, readImportedId } from '../../workspace/imports/external-id'
import {
  type CellProblem,
  type CellProblemReporter,
  type ImportField,
  type ImportKind,
  ImportRowRejection,
} from '../../workspace/imports/kind'
import { type NamedMember, readNamedMember } from '../../workspace/imports/people'
import {
  parseBooleanCell,
  parseJsonCell,
  readTitle,
  sanitizeOptionalField,
  TEXT_FORMAT_FIELD,
  validateImportRow,
} from '../../workspace/imports/row-values'
import { toTagNames } from '../ideas/read'
import { CreateFeedbackItem, ITEM_TYPES, ModifyFeedbackItem, votingStartsBeforeEnd } from '../ideas/schema'
import type { TagName } from '../ideas/statements'
import { type ImportedCover, readCoverPhotos } from './covers'
import { feedbackPresets } from './presets'
import { listStatusSlugs } from './status-names'
import * as values from './values'

const { title, type, target_audience, value_proposition, tags, collections, attributes, is_anonymous } =
  CreateFeedbackItem.shape
const { visibility_level, is_pinned, is_voting_open, voting_start_time, voting_end_time } = ModifyFeedbackItem.shape

/** Fields that a row of a file can set; ids of this workspace mean nothing in a file. */
const ImportedIdea = z
  .object({
    ...{ title, target_audience, value_proposition, collections, attributes, is_anonymous, tags },
    ...{ visibility_level, is_pinned, is_voting_open, voting_start_time, voting_end_time },
    type: type.unwrap().optional(),
    long_description: text(MAX_STORED_HTML_CHARACTERS).optional(),
  })
  .refine(...votingStartsBeforeEnd)

export interface ImportedIdeaRow {
  key: string | null
  name: string | null
  slug: string
  author: string | null
  authorName: string | null
  /** Author without an address, and the key of the lookup. */
  namedAuthor: NamedMember | null
  categoryName: string | null
  statusName: string | null
  createdAt: number | null
  externalId: ImportedId | undefined
  fields: Omit<z.output<typeof ImportedIdea>, 'tags'>
  tags: TagName[] | null
  votes: values.ImportedVote[]
  comments: values.ImportedComment[]
  /** null without a list: voters and commenters follow the item. */
  followers: values.ImportedFollower[] | null
  covers: ImportedCover[] | null
}

const MAX_NAME_CHARACTERS = 200
/** Longest name of a category or a status. */
export const MAX_CREATED_NAME_CHARACTERS = 100

const FEEDBACK_IMPORT_FIELDS: readonly ImportField[] = [
  {
    name: 'title',
    aliases: ['summary', 'idea', 'subject', 'name of the idea', 'ticket name', 'issue'],
    required: true,
  },
  { name: 'type', aliases: ['kind'], read: values.parseItemType, values: ITEM_TYPES },
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
  { name: 'followers', aliases: [], many: true, json: true },
  { name: 'visibilityLevel', aliases: [], member: 'visibility_level' },
  { name: 'isPinned', aliases: [], json: true, member: 'is_pinned', read: parseBooleanCell },
  { name: 'isVotingOpen', aliases: [], json: true, member: 'is_voting_open', read: parseBooleanCell },
  { name: 'votingStartTime', aliases: [], format: 'date', member: 'voting_start_time' },
  { name: 'votingEndTime', aliases: [], format: 'date', member: 'voting_end_time' },
  { name: 'coverPhotos', aliases: [] },
  ...EXTERNAL_ID_FIELDS,
  TEXT_FORMAT_FIELD,
  { name: 'incomplete', aliases: [], json: true },
]

const UNKNOWN_TYPE_REASON = 'The type is unknown. Map the value to idea or issue.'

const addAttributes = (attributes: Attributes, more: Readonly<Record<string, string | undefined>>): Attributes => ({
  ...Object.fromEntries(Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  ...attributes,
})

const LOOKUPS = {
  category: { in: 'categories', toKey: slugifyName },
  status: { in: 'statuses', toKey: (name: string) => JSON.stringify(listStatusSlugs(name)) },
} as const

function lookUpName(field: 'category' | 'status', value: string): CellProblem {
  const { in: kind, toKey } = LOOKUPS[field]
  return {
    ...{ field, value, became: `attributes.${field}` },
    reason: `No ${field} has this name. Create the ${field} first, or let the import create missing ${kind}.`,
    lookup: { in: kind, key: toKey(value), isCreatable: value.length <= MAX_CREATED_NAME_CHARACTERS },
  }
}

const lookUpTag = ([name, slug]: TagName): CellProblem => ({
  ...{ field: 'tags', value: name, lookup: { in: 'tags', key: slug } },
  reason: 'The product has no tag with this name. Create the tag first, or let the import create missing tags.',
})

/** An author without an address is the only member with this name. */
function lookUpAuthor(
  author: string | undefined,
  authorName: string | undefined,
  report: CellProblemReporter,
): ImportedIdeaRow['namedAuthor'] {
  const member = readNamedMember([authorName ?? author ?? []].flat())
  if (member === undefined) return null
  report({
    ...{ field: authorName === undefined ? 'author' : 'authorName', value: member.name, became: 'attributes.author' },
    reason: 'This is neither the address of a member nor the full name of exactly one member.',
    lookup: { in: 'members', key: member.key },
  })
  return member
}

function reportIncompleteLists(text: string | undefined, report: CellProblemReporter): void {
  const names = text === undefined ? [] : parseJsonCell(text)
  for (const name of Array.isArray(names) ? names : [])
    report({ field: String(name), value: null, reason: 'The exported file does not have all entries of this list.' })
}

function readIdeaRow(
  given: Readonly<Record<string, string>>,
  attributes: Attributes,
  report: CellProblemReporter,
): ImportedIdeaRow | ImportRowRejection {
  if (given.title === undefined) return new ImportRowRejection('title', 'Must not be empty. Every item has a title.')
  const { author, createdAt, externalKey, slug, source, followers } = given
  // A number of followers is no list.
  const isList = followers !== undefined && /@|^\s*\[/.test(followers)
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
  const namedAuthor = email === undefined ? lookUpAuthor(author, authorName, report) : null
  if (given.type !== undefined && !values.isKnownItemType(given.type))
    report({ field: 'type', value: given.type, reason: UNKNOWN_TYPE_REASON, became: 'idea' })
  if (category !== undefined) report(lookUpName('category', category))
  if (status !== undefined) report(lookUpName('status', status))
  const at = createdAt === undefined ? undefined : values.parseImportedMoment(createdAt)
  if (createdAt !== undefined && at === undefined)
    report({ field: 'createdAt', value: createdAt, reason: 'Must be a date, like 2026-01-31.' })
  const imported = readImportedId({ ...given, name }, report)
  // Keeps the identifier in the file as an attribute.
  const more = {
    id: name,
    source: imported && given.externalSource === undefined ? undefined : source,
    followers: isList ? undefined : followers,
  }
  const cells = {
    values: { ...given, title: readTitle('title', given.title, report) },
    attributes: addAttributes(attributes, more),
  }
  const read = validateImportRow(ImportedIdea, FEEDBACK_IMPORT_FIELDS, cells, report)
  if (read instanceof ImportRowRejection) return read
  const { tags: names, ...own } = read
  const tags = names ? toTagNames(names) : null
  for (const tag of tags ?? []) report(lookUpTag(tag))
  if (own.long_description)
    own.long_description = sanitizeOptionalField(own.long_description, 'description', report, given)
  const votes = given.votes === undefined ? [] : values.parseVotes(given.votes, report)
  reportIncompleteLists(given.incomplete, report)
  const comments = given.comments === undefined ? [] : values.parseComments(given.comments, report, given)
  return {
    ...{ key: externalKey ?? null, name: name ?? null, slug: values.toSlugWithoutNumber(slug, own.title) },
    ...{ author: email ?? null, authorName: authorName === undefined ? null : toOneLine(authorName), namedAuthor },
    ...{ categoryName: category ? toOneLine(category) : null, statusName: status ? toOneLine(status) : null },
    createdAt: at ?? null,
    externalId: imported,
    ...{ fields: own, tags, votes, comments },
    followers: isList ? values.parseFollowers(followers, report) : null,
    covers: given.coverPhotos === undefined ? null : readCoverPhotos(given.coverPhotos, report),
  }
}

export const feedbackImportKind: ImportKind<ImportedIdeaRow> = {
  name: 'feedback',
  noun: 'ideas',
  operation: 'POST /api/feedback-items/import',
  fields: FEEDBACK_IMPORT_FIELDS,
  presets: feedbackPresets,
  // Bounded, because `voting.ts` holds the votes of all rows in memory.
  maxRows: 100_000,
  maxRowLength: MAX_EXPORTED_ROW_LENGTH,
  read: readIdeaRow,
}
