import { attributeNameProblem } from '../../text/attributes'

/** Variables of every message, in addition to `attributes.<name>` and the variables of the sending module. */
export const VARIABLES = ['firstName', 'lastName', 'email', 'unsubscribeUrl'] as const

/** Limit per text, which bounds the size of rendered messages. */
export const MAX_VARIABLES = 100

const ATTRIBUTE = 'attributes.'

// An attribute's name has at most 100 characters, and HTML may encode each character as an entity.
const PLACE = /\{\{([^{}]{0,600})\}\}/g

export type Values = (name: string) => string | undefined

// The entities that the sanitizer writes.
const ENTITIES: Record<string, string> = { '&#x26;': '&', '&#x3C;': '<', '&#x22;': '"' }
const decoded = (name: string) => name.replace(/&#x(?:26|3C|22);/g, (entity) => ENTITIES[entity] ?? entity)

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (value: string) => value.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign)

export function variableProblems(text: string): string[] {
  const names = new Set<string>()
  let count = 0
  for (const [, inside = ''] of text.matchAll(PLACE)) {
    count++
    names.add(decoded(inside.trim()))
  }
  const known = `${VARIABLES.map((name) => `{{${name}}}`).join(', ')} and {{attributes.<name>}}`
  const unknown = Array.from(names).filter((name) => !isKnown(name))
  return [
    ...unknown.slice(0, 10).map((name) => `{{${name}}} is no variable. There are ${known}.`),
    ...(count > MAX_VARIABLES ? [`There are ${count} variables. Use at most ${MAX_VARIABLES}.`] : []),
  ]
}

function isKnown(name: string): boolean {
  if (!name.startsWith(ATTRIBUTE)) return (VARIABLES as readonly string[]).includes(name)
  return attributeNameProblem(name.slice(ATTRIBUTE.length)) === undefined
}

export const variablesIn = (text: string): number => Array.from(text.matchAll(PLACE)).length

/** Normalizes spaces in placeholders, because the database searches for the exact `{{attributes.plan}}`. */
export const spelled = (text: string): string => text.replace(PLACE, (_, inside: string) => `{{${inside.trim()}}}`)

const replaced = (text: string, values: Values, write: (value: string) => string): string =>
  text.includes('{{')
    ? text.replace(PLACE, (place: string, inside: string) => {
        const value = values(decoded(inside.trim()))
        return value === undefined ? place : write(value)
      })
    : text

// Matches an address in HTML that begins with a variable, or a variable anywhere else. Matches forward from the quote,
// because looking behind would read long runs of white space repeatedly.
const IN_HTML = /((?:href|src)="\s*)(\{\{[^"]*)|\{\{[^{}]{0,600}\}\}/gi
const LINKED = /^(?:https?:|mailto:|tel:)/i

/**
 * Inserts escaped values into HTML. An address that begins with a variable must have a safe scheme or becomes empty.
 */
export const inHtml = (html: string, values: Values): string =>
  html.replace(IN_HTML, (place: string, quote = '', address?: string) => {
    const written = replaced(address ?? place, values, escaped)
    return quote + (address !== undefined && written !== address && !LINKED.test(written) ? '' : written)
  })

export const inText = (text: string, values: Values): string => replaced(text, values, (value) => value)

/** Replaces control characters by spaces, because a line break would begin another header. */
export const inLine = (line: string, values: Values): string =>
  replaced(line, values, (value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))

/** Returns the variables of a recipient. Missing fields are empty. `greeting` is for the service's own mails. */
export function valuesOf(
  person: Record<'email' | 'firstName' | 'lastName', string> & Record<'attributes' | 'own' | 'everyone', string | null>,
  links: Readonly<Record<string, string>>,
): Values {
  const attributes = read(person.attributes)
  const [own, everyone] = [read(person.own), read(person.everyone)]
  const { email, firstName, lastName } = person
  const greeting = firstName ? `Hello ${firstName},` : 'Hello,'
  const known = new Map(Object.entries({ email, firstName, lastName, greeting, ...links }))
  return (name) => {
    if (name.startsWith(ATTRIBUTE)) return attributes.get(name.slice(ATTRIBUTE.length)) ?? ''
    return known.get(name) ?? own.get(name) ?? everyone.get(name)
  }
}

function read(json: string | null): Map<string, string> {
  const entries = Object.entries(JSON.parse(json ?? '{}') as Record<string, unknown>)
  return new Map(entries.map(([name, value]) => [name, String(value)]))
}
