import { normalAddress } from '../../http/schemas'
import { type Attributes, oneLine } from '../../text/attributes'
import { fold } from '../../workspace/imports/columns'
import { type Kind, Refused, shown } from '../../workspace/imports/kind'
import { nameProblem } from '../members/read'
import { MADE_ROLES } from '../members/schema'
import { peoplePresets } from './presets'

export interface Person {
  email: string
  firstName: string | null
  lastName: string | null
  role: (typeof MADE_ROLES)[number] | null
  attributes: Attributes
}

const ROLES = new Map<string, Person['role']>(MADE_ROLES.map((role) => [fold(role), role]))

export const people: Kind<Person> = {
  name: 'people',
  fields: [
    { name: 'email', aliases: ['email address', 'mail'], required: true },
    { name: 'name', aliases: ['full name'] },
    { name: 'firstName', aliases: ['given name', 'forename'] },
    { name: 'lastName', aliases: ['surname', 'family name'] },
    { name: 'role', aliases: [] },
  ],
  presets: peoplePresets,
  read({ email = '', name = '', firstName = '', lastName = '', role }, attributes) {
    if (email === '') return new Refused('email', 'Must not be empty. Give an address, like ada@example.com.')
    const address = normalAddress(email)
    if (address === undefined) return new Refused('email', 'Must be an e-mail address, like ada@example.com.', email)
    const last = oneLine(lastName)
    const names = { firstName: oneLine(firstName) || firstNameOf(oneLine(name), last), lastName: last }
    for (const [field, text] of Object.entries(names)) {
      const problem = nameProblem(text)
      if (problem) return new Refused(field === 'firstName' && firstName === '' ? 'name' : field, problem, text)
    }
    const given = role === undefined ? null : ROLES.get(fold(role))
    if (given === undefined) return new Refused('role', roleProblem(role ?? ''), role)
    return { email: address, firstName: names.firstName || null, lastName: last || null, role: given, attributes }
  },
}

/**
 * Returns the first name from a whole name: removes the last name if given, and otherwise keeps the whole name, as when
 * members are added individually.
 */
function firstNameOf(name: string, lastName: string): string {
  return lastName !== '' && name.endsWith(` ${lastName}`) ? name.slice(0, -lastName.length).trim() : name
}

function roleProblem(role: string): string {
  if (fold(role) === 'owner')
    return 'No import makes an owner. Import the person with another role, and give this one by hand.'
  return `There is no role "${shown(role)}" for an import. Roles are ${MADE_ROLES.join(', ')}.`
}
