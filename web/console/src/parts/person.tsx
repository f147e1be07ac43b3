import type { ComponentChildren } from 'preact'
import { Avatar } from './avatar'

interface NamedPerson {
  firstName: string
  lastName: string
  email: string
}

export const nameOf = ({ firstName, lastName, email }: NamedPerson): string =>
  `${firstName} ${lastName}`.trim() || email

interface PersonNameProps {
  person: NamedPerson
  /** Marks beside the name. */
  children?: ComponentChildren
}

export const PersonName = ({ person, children }: PersonNameProps) => (
  <span class="row">
    <Avatar name={nameOf(person)} />
    <span class="grow">
      <span class="b">{nameOf(person)}</span> {children}
      {nameOf(person) !== person.email && <span class="sm muted block wrap-text">{person.email}</span>}
    </span>
  </span>
)
