import { type Me, maySee } from '../../api/me'
import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { RecordTable } from '../../parts/record-table'
import { formatAge, formatMoment } from '../../texts/formats'
import type { Person } from './people-requests'
import { mayGive } from './role-choice'
import { texts } from './texts/texts'

interface PeopleTableProps {
  me: Me
  people: readonly Person[]
  onEdit: (person: Person) => void
  onAccess: (person: Person) => void
  onRemove: (person: Person) => void
}

export function PeopleTable({ me, people, onEdit, onAccess, onRemove }: PeopleTableProps) {
  const mayManage = maySee(me, 'products:write')
  return (
    <RecordTable
      records={people}
      keyOf={({ id }) => id}
      columns={[
        {
          title: texts.people.name,
          show: (person) => (
            <PersonName person={person}>
              {person.id === me.user?.id && <span class="tag">{texts.people.you}</span>}
            </PersonName>
          ),
        },
        { title: texts.people.role, show: ({ role }) => texts.people.roles[role] },
        {
          title: texts.people.since,
          show: ({ createdAt }) => (
            <time dateTime={createdAt} title={formatMoment(createdAt)}>
              {formatAge(createdAt)}
            </time>
          ),
          isMuted: true,
        },
      ]}
      actions={
        mayManage
          ? {
              title: texts.people.actions,
              show: (person) => (
                <PersonActions
                  person={person}
                  isOwn={person.id === me.user?.id}
                  isBeyond={!mayGive(me, person.role)}
                  onEdit={onEdit}
                  onAccess={onAccess}
                  onRemove={onRemove}
                />
              ),
            }
          : undefined
      }
    />
  )
}

interface PersonActionsProps extends Omit<PeopleTableProps, 'me' | 'people'> {
  person: Person
  isOwn: boolean
  isBeyond: boolean
}

/** Nobody removes the own user by accident: somebody else does. */
const PersonActions = ({ person, isOwn, isBeyond, onEdit, onAccess, onRemove }: PersonActionsProps) =>
  isBeyond ? (
    <span class="sm muted">{texts.people.beyond}</span>
  ) : (
    <>
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
          class="btn ghost icon small"
          type="button"
          aria-label={texts.people.access(nameOf(person))}
          title={texts.people.access(nameOf(person))}
          onClick={() => onAccess(person)}
        >
          <Icon name="key" />
        </button>
      )}
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
    </>
  )
