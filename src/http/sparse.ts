import * as z from 'zod'
import type { AnyOperation } from './operation'

/** What an item of an operation's list declares; undefined where it answers no list of records. */
export function itemOf({ data }: AnyOperation): z.ZodObject | undefined {
  return data instanceof z.ZodArray && data.element instanceof z.ZodObject ? data.element : undefined
}

/** The names in `fields`, a comma-separated list. */
export const namesIn = (fields: string): string[] => [...new Set(fields.split(',').map((name) => name.trim()))]

/** What is wrong with `fields` of a list, as a sentence. What is no list says itself what it has. */
export function unknownField(op: AnyOperation, fields: string): string | undefined {
  const shape = itemOf(op)?.shape
  if (!shape) return undefined
  const unknown = namesIn(fields).find((name) => !Object.hasOwn(shape, name))
  return unknown === undefined
    ? undefined
    : `There is no field "${unknown}". Fields are: ${Object.keys(shape).join(', ')}.`
}

/** The items with just the named fields, in the order in which they are named. */
export function only(items: readonly Record<string, unknown>[], fields: string): Record<string, unknown>[] {
  const names = namesIn(fields)
  return items.map((item) => Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]])))
}
