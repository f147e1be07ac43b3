import * as z from 'zod'
import { normalAddress } from '../../../http/schemas'
import { type Attributes, oneLine } from '../../../text/attributes'
import { ApiError } from '../../../text/errors'
import { sanitizer } from '../../../text/html'
import { type Kind, Refused } from '../../../workspace/imports/kind'
import type { TagName } from '../queries/tags'
import { tagNames } from '../read'
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

/** What a row of a file gives: nothing that is only an id here. */
const ImportedIdea = z.object({
  ...{ title, target_audience, value_proposition, long_description, collections, attributes, is_anonymous, tags },
  type: type.unwrap().optional(),
})

/** A row of feedback. */
export interface Idea {
  /** Its key, of this product, and what else it is called in the file. */
  key: string | null
  name: string | null
  slug: string
  author: string | null
  authorName: string | null
  /** The name of its category. */
  category: string | null
  /** The name of its status. */
  status: string | null
  createdAt: number | null
  given: Omit<z.output<typeof ImportedIdea>, 'tags'>
  tags: TagName[] | null
  votes: values.ImportedVote[]
  comments: values.ImportedComment[]
}

let clean: Awaited<ReturnType<typeof sanitizer>>

/** Must be over before the first row is read. */
export const ready = async () => {
  clean ??= await sanitizer()
}

const MAX_NAME = 200

/** What of a row the schema reads, by its field. */
function fieldsOf(given: Readonly<Record<string, string>>, attributes: Attributes): Record<string, unknown> {
  const { title, type, description, targetAudience, valueProposition, tags, collections, isAnonymous } = given
  return {
    title: oneLine(title ?? ''),
    ...(type !== undefined && { type: values.typeOf(type) }),
    ...(description !== undefined && { long_description: description }),
    ...(targetAudience !== undefined && { target_audience: targetAudience }),
    ...(valueProposition !== undefined && { value_proposition: valueProposition }),
    ...(tags !== undefined && { tags: values.namesIn(tags) }),
    ...(collections !== undefined && { collections: values.namesIn(collections) }),
    ...(isAnonymous !== undefined && {
      is_anonymous: { true: true, false: false }[isAnonymous.toLowerCase()] ?? isAnonymous,
    }),
    ...(Object.keys(attributes).length && { attributes }),
  }
}

/** Which column gave a field of the schema. */
const COLUMNS: Readonly<Record<string, string>> = {
  long_description: 'description',
  target_audience: 'targetAudience',
  value_proposition: 'valueProposition',
  is_anonymous: 'isAnonymous',
}

/** The attributes with more of them, where they have none of that name. */
const withMore = (attributes: Attributes, more: Readonly<Record<string, string | undefined>>): Attributes => ({
  ...Object.fromEntries(Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  ...attributes,
})

function read(given: Readonly<Record<string, string>>, attributes: Attributes): Idea | Refused {
  const { author, authorName, category, status, createdAt, externalKey, name, slug } = given
  if (given.title === undefined) return new Refused('title', 'Must not be empty. Every item has a title.')
  const email = author === undefined ? null : normalAddress(author)
  if (email === undefined) return new Refused('author', 'Must be an e-mail address, like ada@example.com.', author)
  const at = createdAt === undefined ? null : values.momentOf(createdAt)
  if (at === undefined) {
    return new Refused('createdAt', 'Must be an ISO 8601 date or timestamp, like 2026-01-31T09:00:00Z.', createdAt)
  }
  for (const [field, text] of Object.entries({ authorName, category, status, name })) {
    if ((text?.length ?? 0) > MAX_NAME) return new Refused(field, `Must have at most ${MAX_NAME} characters.`, text)
  }
  // Nothing of a file is lost: what it calls an item, and an author who has no address here.
  const more = { id: name, author: email === null ? authorName : undefined }
  const checked = ImportedIdea.safeParse(fieldsOf(given, withMore(attributes, more)))
  if (!checked.success) {
    const [issue] = checked.error.issues
    const of = String(issue?.path[0] ?? 'title')
    const field = COLUMNS[of] ?? of
    return new Refused(field, `${issue?.message}.`.replace(/\.\.$/, '.'), given[field] ?? null)
  }
  try {
    const { tags, ...own } = checked.data
    if (own.long_description) own.long_description = clean(own.long_description, '/description')
    const votes = given.votes === undefined ? [] : values.votesOf(given.votes)
    if (votes instanceof Refused) return votes
    const comments =
      given.comments === undefined ? [] : values.commentsOf(given.comments, (html) => clean(html, '/comments'))
    if (comments instanceof Refused) return comments
    return {
      ...{ key: externalKey ?? null, name: name ?? null, slug: values.slugOf(slug, own.title) },
      ...{ author: email, authorName: authorName === undefined ? null : oneLine(authorName) },
      ...{
        category: category ?? null,
        status: status ?? null,
        createdAt: at,
        given: own,
        tags: tags ? tagNames(tags) : null,
        votes,
        comments,
      },
    }
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause
    const [{ path = '', message = cause.message } = {}] = cause.issues
    return new Refused(path.slice(1), message)
  }
}

export const feedbackKind: Kind<Idea> = {
  name: 'feedback',
  fields: [
    { name: 'title', aliases: ['summary', 'idea', 'subject', 'name of the idea'], required: true },
    { name: 'type', aliases: ['kind'] },
    { name: 'externalKey', aliases: ['key'] },
    { name: 'name', aliases: ['number', 'identifier'] },
    { name: 'slug', aliases: [] },
    { name: 'description', aliases: ['long description', 'details', 'body', 'text', 'content'] },
    { name: 'targetAudience', aliases: ['audience'] },
    { name: 'valueProposition', aliases: ['value', 'benefit'] },
    { name: 'category', aliases: ['topic'] },
    { name: 'status', aliases: ['state'] },
    { name: 'tags', aliases: ['labels'], many: true, json: true },
    { name: 'collections', aliases: ['collection'], many: true, json: true },
    { name: 'author', aliases: ['author email', 'email', 'created by email', 'submitter email'] },
    { name: 'authorName', aliases: ['created by', 'submitter', 'submitted by'] },
    { name: 'isAnonymous', aliases: ['anonymous'], json: true },
    { name: 'createdAt', aliases: ['created', 'date', 'created date', 'submitted at'] },
    { name: 'votes', aliases: ['voters', 'voter emails'], many: true, json: true },
    { name: 'comments', aliases: [], json: true },
  ],
  presets: feedbackPresets,
  // Who voted in which row is known by heart.
  maxRows: 100_000,
  read,
}
