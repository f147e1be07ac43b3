import * as z from 'zod'
import { webAddress } from '../../../http/schemas'
import type { CustomValue } from '../schema'

export const CUSTOM_TYPES = ['text', 'textarea', 'number', 'date', 'url', 'boolean', 'select', 'multiselect'] as const
export type CustomType = (typeof CUSTOM_TYPES)[number]

const MAX_LINE = 1_000

const Day = z.iso.date()
const Address = webAddress()

export function fittingTypes(value: CustomValue): CustomType[] {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 ? ['number', 'select'] : ['number']
  if (typeof value === 'boolean') return ['boolean']
  if (Array.isArray(value)) return ['multiselect']
  if (value === null) return [...CUSTOM_TYPES]
  const types: CustomType[] = ['textarea']
  if (value.length <= MAX_LINE && !/[\r\n]/.test(value)) types.push('text')
  if (Day.safeParse(value).success) types.push('date')
  if (value.trim() === value && Address.safeParse(value).success) types.push('url')
  return types
}
