import { isAboutMail } from './mail-warnings'
import type { ImportRun } from './requests'

type PreviewedMapping = ImportRun['mapping']
export type PreviewedColumn = PreviewedMapping['columns'][number]
export type ImportField = NonNullable<ImportRun['fields']>[number]
export type Warning = ImportRun['warnings'][number]

/** What a column becomes: a field by its name, an attribute, or nothing. */
export type Target = { field: string } | 'attribute' | 'ignored'

export function targetOf(column: PreviewedColumn): Target {
  if (typeof column.field === 'string') return { field: column.field }
  return column.ignored ? 'ignored' : 'attribute'
}

/** A value of the file, and what the person has decided that it becomes. */
export interface Decision {
  warning: Warning
  becomes: string
}

export interface Choices {
  targets: ReadonlyMap<string, Target>
  decisions: ReadonlyMap<string, Decision>
}

export const NO_CHOICES: Choices = { targets: new Map(), decisions: new Map() }

export const keyOfWarning = ({ column, value }: Warning): string => JSON.stringify([column, value])

/** The part `mapping` of an import: the columns that the person has decided about. */
export function buildMapping({ targets, decisions }: Choices): Record<string, unknown> {
  const mapping: Record<string, unknown> = {}
  for (const [column, target] of targets)
    mapping[column] = target === 'ignored' ? null : target === 'attribute' ? { attribute: column } : target.field
  for (const { warning, becomes } of decisions.values()) {
    const { column, field, value } = warning
    if (column === null || value === null || becomes === '') continue
    const target = targets.get(column)
    if (target !== undefined && !(typeof target === 'object' && target.field === field)) continue
    const { values } = Object(mapping[column]) as { values?: Record<string, string> }
    mapping[column] = { field, values: { ...values, [value]: becomes } }
  }
  return mapping
}

const isOpen = (warning: Warning): boolean => warning.column !== null && warning.value !== null && !isAboutMail(warning)

/** Values that stay as the service reads them. */
export const countUndecided = (warnings: readonly Warning[]): number => warnings.filter(isOpen).length

/** Values that the service could not read, and those that the person has decided about already. */
export function listOpenValues(warnings: readonly Warning[], { decisions }: Choices): Warning[] {
  const open = new Map([...decisions].map(([key, { warning }]) => [key, warning]))
  for (const warning of warnings.filter(isOpen)) open.set(keyOfWarning(warning), warning)
  return [...open.values()]
}
