import { type Me, maySee } from '../../api/me'
import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { formatAge, formatMoment } from '../../texts/formats'
import type { Person } from './people-requests'
import { mayGive } from './role-choice'
import { texts } from './texts/texts'

interface PeopleTableProps {
  me: Me
  people: readonly Person[]
  onEdit: (person: Person) => void
  onRemove: (person: Person) => void
}

export function PeopleTable({ me, people, onEdit, onRemove }: PeopleTableProps) {
  const mayManage = maySee(me, 'products:write')
  return (
    <div class="card">
      <table class="table stack-table">
        <thead>
          <tr>
            <th scope="col">{texts.people.name}</th>
            <th scope="col">{texts.people.role}</th>
            <th scope="col">{texts.people.since}</th>
            {mayManage && (
              <th scope="col">
                <span class="sr">{texts.people.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                <PersonName person={person}>
                  {person.id === me.user?.id && <span class="tag">{texts.people.you}</span>}
                </PersonName>
              </th>
              <td data-th={texts.people.role}>{texts.people.roles[person.role]}</td>
              <td data-th={texts.people.since} class="muted">
                <time dateTime={person.createdAt} title={formatMoment(person.createdAt)}>
                  {formatAge(person.createdAt)}
                </time>
              </td>
              {mayManage && (
                <td class="end">
                  <PersonActions
                    person={person}
                    isOwn={person.id === me.user?.id}
                    isBeyond={!mayGive(me, person.role)}
                    onEdit={onEdit}
                    onRemove={onRemove}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PersonActionsProps extends Omit<PeopleTableProps, 'me' | 'people'> {
  person: Person
  isOwn: boolean
  isBeyond: boolean
}

/** Nobody removes the own user by accident: somebody else does. */
const PersonActions = ({ person, isOwn, isBeyond, onEdit, onRemove }: PersonActionsProps) =>
  isBeyond ? (
    <span class="sm muted">{texts.people.beyond}</span>
  ) : (
    <span class="row">
      <button
        class="btn ghost icon small"
        type="button"
        aria-label={texts.people.edit(nameOf(person))}
        onClick={() => onEdit(person)}
      >
        <Icon name="pencil" />
      </button>
      {!isOwn && (
        <button
          class="btn ghost icon small danger"
          type="button"
          aria-label={texts.people.remove(nameOf(person))}
          onClick={() => onRemove(person)}
        >
          <Icon name="remove" />
        </button>
      )}
    </span>
  )
