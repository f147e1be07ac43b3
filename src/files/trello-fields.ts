import { MAX_ATTRIBUTE_TEXT } from '../text/attributes'
import { readList, readMember, readText } from './read-json'

// Each card repeats the names of its board. A name of this length is too long for any field, and is reported so.
const MAX_NAME_LENGTH = MAX_ATTRIBUTE_TEXT + 1

/** A custom field of a board. A list has options. */
export interface CustomField {
  id: string
  name: string
  options: ReadonlyMap<string, string>
}

/** The value of a card in a custom field: an option, or text in the member of its type. */
export interface CustomValue {
  field: string
  option: string
  value: string | number | boolean
}

/** A text that cards repeat. Copies the beginning of a long text, because a substring keeps the whole text in memory. */
export function readName(value: unknown, name: string): string {
  const text = readText(value, name)
  return text.length <= MAX_NAME_LENGTH ? text : JSON.parse(JSON.stringify(text.slice(0, MAX_NAME_LENGTH)))
}

export const readCustomField = (field: unknown): CustomField => ({
  id: readText(field, 'id'),
  name: readName(field, 'name'),
  options: new Map(
    readList(field, 'options').map((option) => [readText(option, 'id'), readName(readMember(option, 'value'), 'text')]),
  ),
})

/** Trello writes numbers and checkboxes as text. */
export function readCustomValue(item: unknown): CustomValue {
  const value = readMember(item, 'value')
  const [text, number, checked] = [readText(value, 'text'), readText(value, 'number'), readText(value, 'checked')]
  const isNumber = number !== '' && Number.isFinite(Number(number))
  return {
    field: readText(item, 'idCustomField'),
    option: readText(item, 'idValue'),
    value: checked !== '' ? checked === 'true' : isNumber ? Number(number) : text || number || readText(value, 'date'),
  }
}

/** The values of a card by the names of their fields. A second field of a name has its id behind the name. */
export function nameCustomValues(
  values: readonly CustomValue[],
  fields: ReadonlyMap<string, CustomField>,
): Record<string, string | number | boolean> {
  const named = new Map<string, string | number | boolean>()
  for (const { field: id, option, value } of values) {
    const { name = id, options } = fields.get(id) ?? {}
    const shown = options?.get(option) ?? value
    if (shown !== '') named.set(named.has(name) ? `${name} (${id})` : name, shown)
  }
  return Object.fromEntries(named)
}
