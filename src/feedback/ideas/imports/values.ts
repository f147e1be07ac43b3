import { normalizeEmail } from '../../../http/schemas'
import { parseIsoMoment } from '../../../text/moments'
import { slugify } from '../../../text/slug'
import { foldColumnName } from '../../../workspace/imports/columns'
import { ImportRowRejection } from '../../../workspace/imports/kind'
import { parseJsonCell, sanitizeHtmlField } from '../../../workspace/imports/row-values'

export type ImportedVote = [email: string, at: number | null, type: 'up' | 'down']
/** `back` counts the comments from a reply back to the parent; 0 without a parent. */
export type ImportedComment = [email: string | null, text: string, isPrivate: 0 | 1, at: number | null, back: number]

export const MAX_VOTES = 10_000
const MAX_COMMENTS = 10_000
const MAX_COMMENT = 20_000

const ISSUES = new Set(['issue', 'bug', 'problem', 'defect', 'error', 'complaint'].map(foldColumnName))

export const parseType = (text: string): 'idea' | 'issue' => (ISSUES.has(foldColumnName(text)) ? 'issue' : 'idea')

function splitList(text: string, separators: RegExp): unknown[] {
  return text.split('\n').flatMap((line) => {
    const read = /^\s*\[/.test(line) ? parseJsonCell(line) : undefined
    if (Array.isArray(read)) return read
    return line
      .split(separators)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  })
}

export const parseNames = (text: string) => splitList(text, /,/)

const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

export function parseMoment(text: string): number | undefined {
  const plain = text.replace(/ UTC$/, 'Z')
  const at = parseIsoMoment(plain)
  if (at !== undefined) return at
  const [, month, day, year] = US_DATE.exec(text) ?? []
  if (!month || !day) return undefined
  return parseIsoMoment(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

interface Voter {
  email?: unknown
  createdAt?: unknown
}

interface Vote extends Voter {
  type?: unknown
}

const timeOrNull = (given: unknown): number | null => (typeof given === 'string' ? (parseMoment(given) ?? null) : null)

const VOTE_TYPE = 'The type of a vote must be "up" or "down". Without a type the vote counts as "up".'

function parseVoteType(given: unknown): 'up' | 'down' | undefined {
  const type = typeof given === 'string' ? given.trim().toLowerCase() : given
  if (type === undefined || type === null || type === '') return 'up'
  return type === 'up' || type === 'down' ? type : undefined
}

/** Accepts a list of addresses, or a JSON array of addresses or `{email, type, createdAt}`. The first vote counts. */
export function parseVotes(text: string): ImportedVote[] | ImportRowRejection {
  const votes = new Map<string, ImportedVote>()
  for (const one of splitList(text, /[,;\s]+/)) {
    const { email, createdAt, type: givenType }: Vote = typeof one === 'object' && one !== null ? one : { email: one }
    const address = typeof email === 'string' ? normalizeEmail(email) : undefined
    if (address === undefined) {
      const shown = typeof email === 'string' ? email : JSON.stringify(one)
      return new ImportRowRejection('votes', 'Must be the e-mail addresses of the voters, like ada@example.com.', shown)
    }
    const type = parseVoteType(givenType)
    if (type === undefined) return new ImportRowRejection('votes', VOTE_TYPE, JSON.stringify(one))
    if (!votes.has(address)) votes.set(address, [address, timeOrNull(createdAt), type])
  }
  if (votes.size > MAX_VOTES)
    return new ImportRowRejection('votes', `You can import at most ${MAX_VOTES} votes per item. Leave some out.`)
  return [...votes.values()]
}

interface Comment extends Voter {
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
  if (list.length > MAX_COMMENTS)
    return wrong(`You can import at most ${MAX_COMMENTS} comments per item. Leave some out.`)
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
    }: Comment = typeof one === 'object' && one !== null ? one : { text: one }
    if (typeof said !== 'string' || said.trim() === '') return wrong(`Comment ${place + 1} has no text.`)
    if (said.length > MAX_COMMENT)
      return wrong(`Comment ${place + 1} has more than ${MAX_COMMENT} characters. Shorten it.`)
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
      timeOrNull(createdAt),
      above === undefined ? 0 : place - above,
    ])
  }
  return comments
}

/** The item gets another number if the slug is taken. */
export const slugWithoutNumber = (slug: string | undefined, title: string) =>
  slugify((slug ?? title).replace(/_\d+$/, '') || title)
