import { normalAddress } from '../../../http/schemas'
import { readMoment } from '../../../text/moments'
import { slugify } from '../../../text/slug'
import { fold } from '../../../workspace/imports/columns'
import { Refused } from '../../../workspace/imports/kind'
import { clean, jsonIn } from '../../../workspace/imports/reading'

/** `at` is in epoch milliseconds, or null if the file gives no time. */
export type ImportedVote = [email: string, at: number | null, type: 'up' | 'down']
/** `at` is in epoch milliseconds; `back` counts the comments from a reply back to the parent, 0 without a parent. */
export type ImportedComment = [email: string | null, text: string, isPrivate: 0 | 1, at: number | null, back: number]

/** Limits for a single item. */
export const MAX_VOTES = 10_000
const MAX_COMMENTS = 10_000
const MAX_COMMENT = 20_000

/** Names of issues in files of foreign products; any different name means an idea. */
const ISSUES = new Set(['issue', 'bug', 'problem', 'defect', 'error', 'complaint'].map(fold))

export const typeOf = (text: string): 'idea' | 'issue' => (ISSUES.has(fold(text)) ? 'issue' : 'idea')

/** Splits the lines of a cell: each line is a JSON array or text with separators. */
function listIn(text: string, separators: RegExp): unknown[] {
  return text.split('\n').flatMap((line) => {
    const read = /^\s*\[/.test(line) ? jsonIn(line) : undefined
    if (Array.isArray(read)) return read
    return line
      .split(separators)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  })
}

export const namesIn = (text: string) => listIn(text, /,/)

const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** Parses a moment as the API does, or as UserVoice and spreadsheets write a date; undefined if invalid. */
export function momentOf(text: string): number | undefined {
  const plain = text.replace(/ UTC$/, 'Z')
  const at = readMoment(plain)
  if (at !== undefined) return at
  const [, month, day, year] = DAY_FIRST.exec(text) ?? []
  if (!month || !day) return undefined
  return readMoment(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

interface Voter {
  email?: unknown
  createdAt?: unknown
}

interface Vote extends Voter {
  type?: unknown
}

const timeOf = (given: unknown): number | null => (typeof given === 'string' ? (momentOf(given) ?? null) : null)

const VOTE_TYPE = 'The type of a vote must be "up" or "down". Without a type the vote counts as "up".'

function voteTypeOf(given: unknown): 'up' | 'down' | undefined {
  const type = typeof given === 'string' ? given.trim().toLowerCase() : given
  if (type === undefined || type === null || type === '') return 'up'
  return type === 'up' || type === 'down' ? type : undefined
}

/**
 * Parses votes: addresses separated by commas or line breaks, or a JSON array of addresses or `{email, type,
 * createdAt}`. The first vote of an address counts.
 */
export function votesOf(text: string): ImportedVote[] | Refused {
  const votes = new Map<string, ImportedVote>()
  for (const one of listIn(text, /[,;\s]+/)) {
    const { email, createdAt, type: givenType }: Vote = typeof one === 'object' && one !== null ? one : { email: one }
    const address = typeof email === 'string' ? normalAddress(email) : undefined
    if (address === undefined) {
      const shown = typeof email === 'string' ? email : JSON.stringify(one)
      return new Refused('votes', 'Must be e-mail addresses of those who voted, like ada@example.com.', shown)
    }
    const type = voteTypeOf(givenType)
    if (type === undefined) return new Refused('votes', VOTE_TYPE, JSON.stringify(one))
    if (!votes.has(address)) votes.set(address, [address, timeOf(createdAt), type])
  }
  if (votes.size > MAX_VOTES) return new Refused('votes', `An item brings at most ${MAX_VOTES} votes. Leave some out.`)
  return [...votes.values()]
}

interface Comment extends Voter {
  id?: unknown
  parentId?: unknown
  text?: unknown
  isPrivate?: unknown
}

/**
 * Parses a JSON array of `{text, email?, isPrivate?, createdAt?, id?, parentId?}`; a reply must follow the parent
 * comment.
 */
export function commentsOf(text: string): ImportedComment[] | Refused {
  const wrong = (reason: string) => new Refused('comments', reason, text)
  const list = jsonIn(text)
  if (!Array.isArray(list)) return wrong('Must be a JSON array of comments, like [{"text": "Yes!"}].')
  if (list.length > MAX_COMMENTS) return wrong(`An item brings at most ${MAX_COMMENTS} comments. Leave some out.`)
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
    const address = typeof email === 'string' && email !== '' ? normalAddress(email) : null
    if (address === undefined) return wrong(`Comment ${place + 1} is by somebody who has no e-mail address.`)
    const above = parentId === null || parentId === undefined ? undefined : places.get(parentId)
    if (id !== undefined && id !== null) places.set(id, place)
    const words = clean(said, 'comments')
    if (words.trim() === '') return wrong(`Comment ${place + 1} has no text.`)
    comments.push([
      address,
      words,
      isPrivate === true ? 1 : 0,
      timeOf(createdAt),
      above === undefined ? 0 : place - above,
    ])
  }
  return comments
}

/** Drops a number at the end of the slug, because the item gets a number if the slug is taken. */
export const slugOf = (slug: string | undefined, title: string) =>
  slugify((slug ?? title).replace(/_\d+$/, '') || title)
