import * as z from 'zod'
import { webAddress } from '../../../http/schemas'
import type { CustomValue } from '../schema'

export const FIELD_TYPES = ['text', 'textarea', 'number', 'date', 'url', 'boolean', 'select', 'multiselect'] as const
export type CustomFieldType = (typeof FIELD_TYPES)[number]

const MAX_LINE_LENGTH = 1_000

const IsoDate = z.iso.date()
const WebAddress = webAddress()

export function listFittingTypes(value: CustomValue): CustomFieldType[] {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 ? ['number', 'select'] : ['number']
  if (typeof value === 'boolean') return ['boolean']
  if (Array.isArray(value)) return ['multiselect']
  if (value === null) return [...FIELD_TYPES]
  const types: CustomFieldType[] = ['textarea']
  if (value.length <= MAX_LINE_LENGTH && !/[\r\n]/.test(value)) types.push('text')
  if (IsoDate.safeParse(value).success) types.push('date')
  if (value.trim() === value && WebAddress.safeParse(value).success) types.push('url')
  return types
}
