import { ExternalId, ExternalSource } from '../../http/external-id'
import { normalizeEmail } from '../../http/schemas'
import { parseIsoMoment } from '../../text/moments'
import { slugify } from '../../text/slug'
import { signText } from '../../workspace/comments/sanitize'
import { foldColumnName } from '../../workspace/imports/columns'
import type { CellProblemReporter } from '../../workspace/imports/kind'
import { isMarkdownFile, parseJsonCell, sanitizeOptionalField } from '../../workspace/imports/row-values'

export type ImportedVote = [email: string, at: number | null, type: 'up' | 'down']
/** `back` counts the comments from a reply back to the parent; 0 without a parent. */
export type ImportedComment = [
  email: string | null,
  text: string,
  isPrivate: 0 | 1,
  at: number | null,
  back: number,
  removed: 0 | 1,
  source: string | null,
  externalId: string | null,
]

export const MAX_VOTES_PER_ITEM = 10_000
const MAX_COMMENTS_PER_ITEM = 10_000
const MAX_COMMENT_CHARACTERS = 20_000

const ISSUE_TYPE_NAMES = new Set(['issue', 'bug', 'problem', 'defect', 'error', 'complaint'].map(foldColumnName))
const IDEA_TYPE_NAMES = new Set(
  [
    ...['idea', 'feature', 'feature request', 'new feature', 'request', 'change request', 'suggestion', 'proposal'],
    ...['enhancement', 'improvement', 'wish', 'feedback'],
  ].map(foldColumnName),
)

export const parseItemType = (text: string): 'idea' | 'issue' =>
  ISSUE_TYPE_NAMES.has(foldColumnName(text)) ? 'issue' : 'idea'

export const isKnownItemType = (text: string): boolean =>
  [ISSUE_TYPE_NAMES, IDEA_TYPE_NAMES].some((names) => names.has(foldColumnName(text)))

function splitListCell(text: string, separators: RegExp): unknown[] {
  return text.split('\n').flatMap((line) => {
    const read = /^\s*\[/.test(line) ? parseJsonCell(line) : undefined
    if (Array.isArray(read)) return read
    return line
      .split(separators)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  })
}

export const parseNames = (text: string) => splitListCell(text, /,/)

const US_DATE_PATTERN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

export function parseImportedMoment(text: string): number | undefined {
  const plain = text.replace(/ UTC$/, 'Z')
  const at = parseIsoMoment(plain)
  if (at !== undefined) return at
  const [, month, day, year] = US_DATE_PATTERN.exec(text) ?? []
  if (!month || !day) return undefined
  return parseIsoMoment(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

interface UncheckedVoter {
  email?: unknown
  createdAt?: unknown
}

interface UncheckedVote extends UncheckedVoter {
  type?: unknown
}

const parseTimeOrNull = (given: unknown): number | null =>
  typeof given === 'string' ? (parseImportedMoment(given) ?? null) : null

const VOTE_TYPE_MESSAGE = 'The type of a vote must be "up" or "down". Without a type the vote counts as "up".'

function parseVoteType(given: unknown): 'up' | 'down' | undefined {
  const type = typeof given === 'string' ? given.trim().toLowerCase() : given
  if (type === undefined || type === null || type === '') return 'up'
  return type === 'up' || type === 'down' ? type : undefined
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Accepts a list of addresses, or a JSON array of addresses or `{email, type, createdAt}`. The first vote counts. */
export function parseVotes(text: string, report: CellProblemReporter): ImportedVote[] {
  const votes = new Map<string, ImportedVote>()
  for (const one of splitListCell(text, /[,;\s]+/)) {
    const { email, createdAt, type: givenType }: UncheckedVote = isObject(one) ? one : { email: one }
    const wrong = (reason: string, value = JSON.stringify(one)) => report({ field: 'votes', value, reason })
    const address = typeof email === 'string' ? normalizeEmail(email) : undefined
    const type = parseVoteType(givenType)
    if (address === undefined) {
      const shown = typeof email === 'string' ? email : undefined
      wrong('Must be the e-mail addresses of the voters, like ada@example.com.', shown)
    } else if (type === undefined) wrong(VOTE_TYPE_MESSAGE)
    else if (votes.has(address)) continue
    else if (votes.size >= MAX_VOTES_PER_ITEM) {
      report({ field: 'votes', value: null, reason: `You can import at most ${MAX_VOTES_PER_ITEM} votes per item.` })
      break
    } else votes.set(address, [address, parseTimeOrNull(createdAt), type])
  }
  return [...votes.values()]
}

const FOLLOWER_REASONS = ['author', 'vote', 'comment', 'asked', 'left'] as const
const FOLLOWER_REASON_MESSAGE = `The reason of a follower must be one of ${FOLLOWER_REASONS.join(', ')}.`
export type ImportedFollower = [email: string, reason: (typeof FOLLOWER_REASONS)[number]]

/** Accepts a list of addresses, or a JSON array of addresses or `{email, reason}`. The first entry of an address counts. */
export function parseFollowers(text: string, report: CellProblemReporter): ImportedFollower[] {
  const followers = new Map<string, ImportedFollower>()
  for (const one of splitListCell(text, /[,;\s]+/)) {
    const { email, reason: given }: { email?: unknown; reason?: unknown } = isObject(one) ? one : { email: one }
    const address = typeof email === 'string' ? normalizeEmail(email) : undefined
    const known = FOLLOWER_REASONS.find((name) => name === given)
    const reason = known ?? 'asked'
    if (address === undefined) {
      const value = typeof email === 'string' ? email : JSON.stringify(one)
      report({
        field: 'followers',
        value,
        reason: 'Must be the e-mail addresses of the followers, like ada@example.com.',
      })
    } else if (followers.size >= MAX_VOTES_PER_ITEM) {
      report({
        field: 'followers',
        value: null,
        reason: `You can import at most ${MAX_VOTES_PER_ITEM} followers per item.`,
      })
      break
    } else if (!followers.has(address)) {
      followers.set(address, [address, reason])
      if (known === undefined && given !== undefined && given !== null)
        report({ field: 'followers', value: String(given), reason: FOLLOWER_REASON_MESSAGE, became: reason })
    }
  }
  return [...followers.values()]
}

interface UncheckedComment extends UncheckedVoter {
  id?: unknown
  parentId?: unknown
  author?: unknown
  text?: unknown
  isPrivate?: unknown
  deleted?: unknown
  source?: unknown
  externalId?: unknown
}

/**
 * A JSON array of `{text, email?, author?, isPrivate?, createdAt?, id?, parentId?, source?, externalId?}`; a reply follows
 * the parent comment, and is private if the parent is. With `deleted` a comment without a text keeps its place above the replies. The name of an author
 * without an address stands before the text. `values`: constants of the file.
 */
export function parseComments(
  text: string,
  report: CellProblemReporter,
  values: Readonly<Record<string, string>>,
): ImportedComment[] {
  const wrong = (reason: string, value: string | null = text) => report({ field: 'comments', value, reason })
  const list = parseJsonCell(text)
  if (!Array.isArray(list)) {
    wrong('Must be a JSON array of comments, like [{"text": "Yes!"}].')
    return []
  }
  const places = new Map<unknown, number>()
  const comments: ImportedComment[] = []
  for (const one of list) {
    const shown = JSON.stringify(one)
    if (comments.length >= MAX_COMMENTS_PER_ITEM) {
      wrong(`You can import at most ${MAX_COMMENTS_PER_ITEM} comments per item.`, null)
      break
    }
    const {
      id,
      parentId,
      text: said,
      author,
      email = typeof author === 'string' ? normalizeEmail(author) : undefined,
      isPrivate,
      createdAt,
      deleted,
      source = values.externalSource,
      externalId,
    }: UncheckedComment = isObject(one) ? one : { text: one }
    const signature = email ? undefined : author
    const words = typeof said === 'string' ? readCommentText(said, signature, report, values) : ''
    if (words === undefined) continue
    const isRemoved = deleted === true
    if (words.trim() === '' && !isRemoved) {
      wrong('The comment has no text.', shown)
      continue
    }
    const address = typeof email === 'string' && email !== '' ? normalizeEmail(email) : null
    if (address === undefined) wrong('The comment has an invalid e-mail address.', String(email))
    const above = parentId === null || parentId === undefined ? undefined : places.get(parentId)
    const place = comments.length
    if (id !== undefined && id !== null) places.set(id, place)
    const back = above === undefined ? 0 : place - above
    const isBelowPrivate = above !== undefined && comments[above]?.[2] === 1
    const time = parseTimeOrNull(createdAt)
    comments.push([
      ...([address ?? null, isRemoved ? '' : words, isPrivate === true || isBelowPrivate ? 1 : 0] as const),
      ...([time, back, isRemoved ? 1 : 0] as const),
      ...readCommentId(source, externalId),
    ])
  }
  return comments
}

function readCommentId(source: unknown, externalId: unknown): [source: string | null, externalId: string | null] {
  const [system, id] = [ExternalSource.safeParse(source), ExternalId.safeParse(externalId)]
  return system.success && id.success ? [system.data, id.data] : [null, null]
}

function readCommentText(
  text: string,
  author: unknown,
  report: CellProblemReporter,
  values: Readonly<Record<string, string>>,
): string | undefined {
  const name = typeof author === 'string' && text.trim() !== '' ? author.trim() : ''
  if (text.length > MAX_COMMENT_CHARACTERS) {
    const reason = `A comment can have at most ${MAX_COMMENT_CHARACTERS} characters.`
    report({ field: 'comments', value: text, reason })
    return undefined
  }
  if (!isMarkdownFile(values)) return sanitizeOptionalField(name === '' ? text : `${name}: ${text}`, 'comments', report)
  const html = sanitizeOptionalField(text, 'comments', report, values)
  return html === undefined || name === '' ? html : signText(html, name)
}

/** The item gets another number if the slug is taken. */
export const toSlugWithoutNumber = (slug: string | undefined, title: string) =>
  slugify((slug ?? title).replace(/_\d+$/, '') || title)
