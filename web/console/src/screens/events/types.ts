import type { Operations } from 'groundwork-client'
import type { LoggedEvent } from '../../api/events'
import { nameOf, type Person } from './requests'
import { texts } from './texts/texts'

type Pattern = Extract<Operations['listEvents']['input']['type'], `${string}.*`>
type Resource = Pattern extends `${infer R}.*` ? R : never

/** Patterns of the filter with their names, in the order of the names. */
export const PATTERNS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(texts.resources)
    .sort(([, one], [, other]) => one.localeCompare(other))
    .map(([resource, name]) => [`${resource}.*`, name]),
)

export type ResourceNames = Readonly<Record<Resource, string>>

export const resourceOf = (type: string): string => type.slice(0, type.indexOf('.'))

export const nameOfResource = (resource: string): string =>
  (texts.resources as Readonly<Record<string, string>>)[resource] ?? resource

/** A later release can have more types. */
export const nameOfType = (type: string): string => {
  const happening = type.slice(type.indexOf('.') + 1)
  const name = (texts.happenings as Readonly<Record<string, string>>)[happening] ?? happening.replaceAll('_', ' ')
  return `${nameOfResource(resourceOf(type))}: ${name}`
}

export function nameOfActor({ actor: { userId, keyName } }: LoggedEvent, people: readonly Person[]): string {
  const person = people.find(({ id }) => id === userId)
  if (person) return nameOf(person)
  if (userId !== null) return keyName ?? texts.personOf(String(userId))
  return texts.service
}

export const nameOfOrigin = ({ via, id }: NonNullable<LoggedEvent['origin']>): string =>
  `${(texts.origins as Readonly<Record<string, string>>)[via] ?? via}${id === null ? '' : ` ${id}`}`
