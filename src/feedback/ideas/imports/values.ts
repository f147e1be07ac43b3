import { normalizeEmail } from '../../../http/schemas'
import { parseIsoMoment } from '../../../text/moments'
import { slugify } from '../../../text/slug'
import { foldColumnName } from '../../../workspace/imports/columns'
import { ImportRowRejection } from '../../../workspace/imports/kind'
import { parseJsonCell, sanitizeHtmlField } from '../../../workspace/imports/row-values'

export type ImportedVote = [email: string, at: number | null, type: 'up' | 'down']
/** `back` counts the comments from a reply back to the parent; 0 without a parent. */
export type ImportedComment = [email: string | null, text: string, isPrivate: 0 | 1, at: number | null, back: number]

export const MAX_VOTES_PER_ITEM = 10_000
const MAX_COMMENTS_PER_ITEM = 10_000
const MAX_COMMENT_CHARACTERS = 20_000

const ISSUE_TYPE_NAMES = new Set(['issue', 'bug', 'problem', 'defect', 'error', 'complaint'].map(foldColumnName))

export const parseItemType = (text: string): 'idea' | 'issue' =>
  ISSUE_TYPE_NAMES.has(foldColumnName(text)) ? 'issue' : 'idea'

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

/** Accepts a list of addresses, or a JSON array of addresses or `{email, type, createdAt}`. The first vote counts. */
export function parseVotes(text: string): ImportedVote[] | ImportRowRejection {
  const votes = new Map<string, ImportedVote>()
  for (const one of splitListCell(text, /[,;\s]+/)) {
    const {
      email,
      createdAt,
      type: givenType,
    }: UncheckedVote = typeof one === 'object' && one !== null ? one : { email: one }
    const address = typeof email === 'string' ? normalizeEmail(email) : undefined
    if (address === undefined) {
      const shown = typeof email === 'string' ? email : JSON.stringify(one)
      return new ImportRowRejection('votes', 'Must be the e-mail addresses of the voters, like ada@example.com.', shown)
    }
    const type = parseVoteType(givenType)
    if (type === undefined) return new ImportRowRejection('votes', VOTE_TYPE_MESSAGE, JSON.stringify(one))
    if (!votes.has(address)) votes.set(address, [address, parseTimeOrNull(createdAt), type])
  }
  if (votes.size > MAX_VOTES_PER_ITEM)
    return new ImportRowRejection(
      'votes',
      `You can import at most ${MAX_VOTES_PER_ITEM} votes per item. Leave some out.`,
    )
  return [...votes.values()]
}

interface UncheckedComment extends UncheckedVoter {
  id?: unknown
  parentId?: unknown
  text?: unknown
  isPrivate?: unknown
}

/** A JSON array of `{text, email?, isPrivate?, createdAt?, id?, parentId?}`; a reply follows the parent comment. */
export function parseComments(text: string): ImportedComment[] | ImportRowRejection {
  const wrong = (reason: string) => new ImportRowRejection('comments', reason, text)
  const list = parseJsonCell(text)
  if (!Array.isArray(list)) return wrong('Must be a JSON array of comments, like [{"text": "Yes!"}].')
  if (list.length > MAX_COMMENTS_PER_ITEM)
    return wrong(`You can import at most ${MAX_COMMENTS_PER_ITEM} comments per item. Leave some out.`)
  const places = new Map<unknown, number>()
  const comments: ImportedComment[] = []
  for (const [place, one] of list.entries()) {
    const {
      id,
      parentId,
      text: said,
      email,
      isPrivate,
      createdAt,
    }: UncheckedComment = typeof one === 'object' && one !== null ? one : { text: one }
    if (typeof said !== 'string' || said.trim() === '') return wrong(`Comment ${place + 1} has no text.`)
    if (said.length > MAX_COMMENT_CHARACTERS)
      return wrong(`Comment ${place + 1} has more than ${MAX_COMMENT_CHARACTERS} characters. Shorten it.`)
    const address = typeof email === 'string' && email !== '' ? normalizeEmail(email) : null
    if (address === undefined) return wrong(`Comment ${place + 1} has an invalid e-mail address.`)
    const above = parentId === null || parentId === undefined ? undefined : places.get(parentId)
    if (id !== undefined && id !== null) places.set(id, place)
    const words = sanitizeHtmlField(said, 'comments')
    if (words.trim() === '') return wrong(`Comment ${place + 1} has no text.`)
    comments.push([
      address,
      words,
      isPrivate === true ? 1 : 0,
      parseTimeOrNull(createdAt),
      above === undefined ? 0 : place - above,
    ])
  }
  return comments
}

/** The item gets another number if the slug is taken. */
export const toSlugWithoutNumber = (slug: string | undefined, title: string) =>
  slugify((slug ?? title).replace(/_\d+$/, '') || title)
