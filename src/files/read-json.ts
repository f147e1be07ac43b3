/** Readers of JSON that another product wrote. A value of another type counts as missing. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const readMember = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export function readText(value: unknown, name: string): string {
  const member = readMember(value, name)
  return typeof member === 'string' ? member : ''
}

export function readNumber(value: unknown, name: string): number {
  const member = readMember(value, name)
  return typeof member === 'number' ? member : 0
}

export function readList(value: unknown, name: string): readonly unknown[] {
  const member = readMember(value, name)
  return Array.isArray(member) ? member : []
}

export const readTexts = (value: unknown, name: string): string[] =>
  readList(value, name).filter((item) => typeof item === 'string')

/** A list of names as a cell. An empty list is an empty cell. */
export const toListCell = (names: readonly string[]): string => (names.length ? JSON.stringify(names) : '')
