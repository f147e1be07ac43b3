import { extractWords } from '../../../text/html/words'
import { namesOf } from '../names'
import type { SentContent } from './queries/sent'

type Body = Readonly<Record<string, unknown>>

/** Fields by which the sender describes its own record. */
const FIELDS_OF_SENDER = new Set(['type', 'urls', 'jiraKey', 'externalProgress', 'user'])
const TEXT_FIELDS = new Set(['summary', 'title', 'description', 'long_description'])
const DATE_FIELDS = new Set(['startDate', 'endDate'])
const DAY_LENGTH = '2026-01-31'.length

const WORD_PATTERN = /[\p{L}\p{N}]+/gu

/** The words of a text, because each system formats a text in its own way. */
const wordsOf = (text: unknown): string =>
  (extractWords(String(text ?? '')).match(WORD_PATTERN) ?? []).join(' ').toLowerCase()

function isEqualField(name: string, given: unknown, sent: unknown): boolean {
  if (TEXT_FIELDS.has(name)) return wordsOf(given) === wordsOf(sent)
  if (DATE_FIELDS.has(name)) return String(given).slice(0, DAY_LENGTH) === String(sent ?? '').slice(0, DAY_LENGTH)
  if (name === 'tags') {
    const known = new Set(namesOf(sent))
    return namesOf(given).every((tag) => known.has(tag))
  }
  return JSON.stringify(given) === JSON.stringify(sent ?? null)
}

/** Splits attributes into fields of their own. */
const listFields = (body: Body): [name: string, value: unknown][] =>
  Object.entries(body).flatMap(([name, value]): [string, unknown][] =>
    name === 'attributes' && value !== null && typeof value === 'object'
      ? Object.entries(value).map(([attribute, one]) => [`attributes.${attribute}`, one])
      : [[name, value]],
  )

const readField = (record: Body, name: string): unknown => {
  const [first = '', ...rest] = name.split('.')
  const value = record[first]
  return rest.length === 0 ? value : (value as Body | undefined)?.[rest.join('.')]
}

export interface Echo {
  eventId: number
  /** False if the record has changed since. */
  isPresent: boolean
}

/**
 * The event whose content the body repeats: an update that this service caused. Each content is recognized once, because a
 * person may return to it later. `known`: ids of recognized events.
 */
export function findEcho(body: Body, contents: readonly SentContent[], known: readonly number[]): Echo | undefined {
  const [present, ...earlier] = contents.map(({ eventId, data }) => ({ eventId, record: JSON.parse(data) as Body }))
  if (!present) return undefined
  const fields = listFields(body).filter(([name]) => !FIELDS_OF_SENDER.has(name))
  const differsFrom =
    (record: Body) =>
    ([name, value]: [string, unknown]) =>
      !isEqualField(name, value, readField(record, name))
  // Other fields, like a priority of the sender, count if they change something.
  const changing = fields.filter(differsFrom(present.record))
  if (changing.length === 0) return { eventId: present.eventId, isPresent: true }
  const found = earlier.find(({ eventId, record }) => !known.includes(eventId) && !changing.some(differsFrom(record)))
  return found && { eventId: found.eventId, isPresent: false }
}
