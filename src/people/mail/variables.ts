import { attributeNameProblem } from '../../text/attributes'

/** What every message may say of its recipient; `attributes.<name>` besides, and what a room gives each recipient. */
export const VARIABLES = ['firstName', 'lastName', 'email', 'unsubscribeUrl'] as const

/** In one text: what they become is bounded. */
export const MAX_VARIABLES = 100

/** Before the name of an attribute. */
const ATTRIBUTE = 'attributes.'

// The name of an attribute has at most 100 characters, which HTML may write as entities.
const PLACE = /\{\{([^{}]{0,600})\}\}/g

/** The value of a variable; undefined where nothing is called so. */
export type Values = (name: string) => string | undefined

// As the sanitiser writes them.
const ENTITIES: Record<string, string> = { '&#x26;': '&', '&#x3C;': '<', '&#x22;': '"' }
const decoded = (name: string) => name.replace(/&#x(?:26|3C|22);/g, (entity) => ENTITIES[entity] ?? entity)

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (value: string) => value.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign)

/** What is wrong with the variables of a text, a sentence for each. */
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

/** How many variables a text has. */
export const variablesIn = (text: string): number => Array.from(text.matchAll(PLACE)).length

/** The text with each variable spelled as the database looks for it: `{{attributes.plan}}`. */
export const spelled = (text: string): string => text.replace(PLACE, (_, inside: string) => `{{${inside.trim()}}}`)

const replaced = (text: string, values: Values, write: (value: string) => string): string =>
  text.includes('{{')
    ? text.replace(PLACE, (place: string, inside: string) => {
        const value = values(decoded(inside.trim()))
        return value === undefined ? place : write(value)
      })
    : text

// An address in HTML that begins with a variable, behind its quote, or a variable anywhere else. Each is found going on from
// the last: to look back from each character would read a run of white space as often as it is long.
const IN_HTML = /((?:href|src)="\s*)(\{\{[^"]*)|\{\{[^{}]{0,600}\}\}/gi
const LINKED = /^(?:https?:|mailto:|tel:)/i

/** HTML with values in it: as text, and where an address begins with one, none that a program would run. */
export const inHtml = (html: string, values: Values): string =>
  html.replace(IN_HTML, (place: string, quote = '', address?: string) => {
    const written = replaced(address ?? place, values, escaped)
    return quote + (address !== undefined && written !== address && !LINKED.test(written) ? '' : written)
  })

export const inText = (text: string, values: Values): string => replaced(text, values, (value) => value)

/** One line without control characters: a line break would begin another header. */
export const inLine = (line: string, values: Values): string =>
  replaced(line, values, (value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))

/** The values of one recipient. A field that the person lacks is empty. `greeting` is for the service's own letters. */
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
