import { nameOf } from '../../parts/person'
import { texts as incoming } from '../incoming/texts/texts'
import type { Kind } from './kinds'
import { keyOf, type Removed } from './requests'

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The name of a record, or its number. */
export function nameOfRecord(kind: Kind, record: Removed): string {
  if (kind.names.includes('email')) {
    const [firstName = '', lastName = '', email = ''] = kind.names.map((name) => textOf(record[name]))
    return nameOf({ firstName, lastName, email })
  }
  const name = kind.names.map((one) => textOf(record[one])).find((text) => text !== '')
  if (kind.id === 'incoming_webhook') {
    const provider = incoming.providers[name as keyof typeof incoming.providers] ?? name
    return incoming.rowName(provider, Number(record.id))
  }
  return name ?? keyOf(kind, record)
}

/** What names the record beside its name: its key, or the address of a person. */
export function detailOfRecord(kind: Kind, record: Removed): string {
  if (kind.key !== 'id') return keyOf(kind, record)
  const email = textOf(record.email)
  return email === nameOfRecord(kind, record) ? '' : email
}
