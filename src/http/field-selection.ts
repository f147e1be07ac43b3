import * as z from 'zod'
import type { AnyOperation } from './operation'

export function itemSchemaOf({ data }: AnyOperation): z.ZodObject | undefined {
  return data instanceof z.ZodArray && data.element instanceof z.ZodObject ? data.element : undefined
}

export const parseFieldNames = (fields: string): string[] => [...new Set(fields.split(',').map((name) => name.trim()))]

/** An operation without a list checks `fields` in the query schema. */
export function unknownFieldMessage(op: AnyOperation, fields: string): string | undefined {
  const shape = itemSchemaOf(op)?.shape
  if (!shape) return undefined
  const unknown = parseFieldNames(fields).find((name) => !Object.hasOwn(shape, name))
  return unknown === undefined
    ? undefined
    : `The field "${unknown}" does not exist. Fields are: ${Object.keys(shape).join(', ')}.`
}

export function pickFields(items: readonly Record<string, unknown>[], fields: string): Record<string, unknown>[] {
  const names = parseFieldNames(fields)
  return items.map((item) => Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]])))
}
