import { findAttributeNameProblem } from '../../text/attributes'
import { showAddress } from '../../text/shown-addresses'

export const MESSAGE_VARIABLES = ['firstName', 'lastName', 'email', 'unsubscribeUrl'] as const

export const MAX_VARIABLES_PER_TEXT = 100

const ATTRIBUTE_PREFIX = 'attributes.'

// An attribute's name has at most 100 characters, and HTML may encode each character as an entity.
const PLACEHOLDER_PATTERN = /\{\{([^{}]{0,600})\}\}/g

export type VariableLookup = (name: string) => string | undefined

const SANITIZER_ENTITIES: Record<string, string> = { '&#x26;': '&', '&#x3C;': '<', '&#x22;': '"' }
const decodeEntities = (name: string) =>
  name.replace(/&#x(?:26|3C|22);/g, (entity) => SANITIZER_ENTITIES[entity] ?? entity)

export function findVariableProblems(text: string): string[] {
  const names = new Set<string>()
  let count = 0
  for (const [, inside = ''] of text.matchAll(PLACEHOLDER_PATTERN)) {
    count++
    names.add(decodeEntities(inside.trim()))
  }
  const known = `${MESSAGE_VARIABLES.map((name) => `{{${name}}}`).join(', ')} and {{attributes.<name>}}`
  const unknown = Array.from(names).filter((name) => !isKnownVariable(name))
  return [
    ...unknown.slice(0, 10).map((name) => `{{${name}}} is not a variable. Use ${known}.`),
    ...(count > MAX_VARIABLES_PER_TEXT
      ? [`The text has ${count} variables. Use at most ${MAX_VARIABLES_PER_TEXT}.`]
      : []),
  ]
}

function isKnownVariable(name: string): boolean {
  if (!name.startsWith(ATTRIBUTE_PREFIX)) return (MESSAGE_VARIABLES as readonly string[]).includes(name)
  return findAttributeNameProblem(name.slice(ATTRIBUTE_PREFIX.length)) === undefined
}

export const countVariables = (text: string): number => Array.from(text.matchAll(PLACEHOLDER_PATTERN)).length

/** Normalizes spaces in placeholders, because the database searches for the exact `{{attributes.plan}}`. */
export const normalizeVariables = (text: string): string =>
  text.replace(PLACEHOLDER_PATTERN, (_, inside: string) => `{{${inside.trim()}}}`)

/** Texts and the variables between them. */
export function splitVariables(text: string): (string | { place: string; name: string })[] {
  const parts: (string | { place: string; name: string })[] = []
  let from = 0
  for (const { 0: place, 1: inside = '', index } of text.matchAll(PLACEHOLDER_PATTERN)) {
    parts.push(text.slice(from, index), { place, name: inside.trim() })
    from = index + place.length
  }
  return [...parts, text.slice(from)]
}

const replaceVariables = (text: string, values: VariableLookup, write: (value: string) => string): string =>
  text.includes('{{')
    ? text.replace(PLACEHOLDER_PATTERN, (place: string, inside: string) => {
        const value = values(inside.trim())
        return value === undefined ? place : write(value)
      })
    : text

export const fillText = (text: string, values: VariableLookup): string =>
  replaceVariables(text, values, (value) => value)

/** Replaces control characters by spaces, because a line break would begin another header. */
export const fillLine = (line: string, values: VariableLookup): string =>
  replaceVariables(line, values, (value) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))

export function createVariableLookup(
  person: Record<'email' | 'firstName' | 'lastName', string> & Record<'attributes' | 'own' | 'everyone', string | null>,
  links: Readonly<Record<string, string>>,
): VariableLookup {
  const attributes = parseVariableValues(person.attributes)
  const [own, everyone] = [parseVariableValues(person.own), parseVariableValues(person.everyone)]
  const { email, firstName, lastName } = person
  const greeting = firstName ? `Hello ${firstName},` : 'Hello,'
  const known = new Map(Object.entries({ email: showAddress(email), firstName, lastName, greeting, ...links }))
  return (name) => {
    if (name.startsWith(ATTRIBUTE_PREFIX)) return attributes.get(name.slice(ATTRIBUTE_PREFIX.length)) ?? ''
    return known.get(name) ?? own.get(name) ?? everyone.get(name)
  }
}

function parseVariableValues(json: string | null): Map<string, string> {
  const entries = Object.entries(JSON.parse(json ?? '{}') as Record<string, unknown>)
  return new Map(entries.map(([name, value]) => [name, String(value)]))
}
