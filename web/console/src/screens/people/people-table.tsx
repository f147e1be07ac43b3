import type { Me } from '../../api/me'
import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { BASE } from '../../state/place'
import { formatAge, formatMoment } from '../../texts/formats'
import { useSegmentList } from '../segments/requests'
import { pathOf, type View } from './place'
import { mayRemove, type Person } from './requests'
import { texts } from './texts/texts'

const MAX_TAGS = 4

interface PeopleTableProps {
  me: Me
  people: readonly Person[]
  view: View
  may: boolean
  onFocus: (key: string) => void
  onEdit: (person: Person) => void
  onRemove: (person: Person) => void
}

export function PeopleTable({ people, ...props }: PeopleTableProps) {
  const { data: segments = [] } = useSegmentList()
  const names = new Map(segments.map(({ id, name }) => [id, name]))
  return (
    <div class="card">
      <table class="table stack-table">
        <thead>
          <tr>
            <th scope="col">{texts.person}</th>
            <th scope="col">{texts.attributes}</th>
            <th scope="col">{texts.segments}</th>
            <th scope="col">{texts.since}</th>
            {props.may && (
              <th scope="col">
                <span class="sr">{texts.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <Row key={person.id} person={person} names={names} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends Omit<PeopleTableProps, 'people'> {
  person: Person
  /** Names of segments by id. */
  names: ReadonlyMap<number, string>
}

const Row = ({ person, names, ...props }: RowProps) => (
  <tr data-row={person.id} tabIndex={-1} onFocusIn={() => props.onFocus(String(person.id))}>
    <th scope="row">
      <PersonName person={person}>
        {person.id === props.me.user?.id && <span class="tag">{texts.you}</span>}{' '}
        {person.role !== 'idm_member' && <span class="tag">{texts.roles[person.role] ?? person.role}</span>}
      </PersonName>
    </th>
    <td data-th={texts.attributes}>
      <Attributes person={person} view={props.view} />
    </td>
    <td data-th={texts.segments}>
      <Segments ids={person.segmentIds} names={names} />
    </td>
    <td data-th={texts.since} class="muted">
      <time dateTime={person.createdAt} title={formatMoment(person.createdAt)}>
        {formatAge(person.createdAt)}
      </time>
    </td>
    {props.may && <Actions person={person} {...props} />}
  </tr>
)

const Attributes = ({ person, view }: { person: Person; view: View }) => {
  const all = Object.entries(person.attributes)
  return (
    <span class="row wrap person-tags">
      {all.slice(0, MAX_TAGS).map(([name, value]) => (
        <a
          key={name}
          class="tag truncate"
          href={BASE + pathOf({ ...view, attribute: { name, value: String(value) } })}
          title={texts.filterBy(`${name}: ${value}`)}
        >
          {name}: {String(value)}
        </a>
      ))}
      {all.length > MAX_TAGS && <span class="sm muted">{texts.more(all.length - MAX_TAGS)}</span>}
    </span>
  )
}

const Segments = ({ ids, names }: { ids: readonly number[]; names: ReadonlyMap<number, string> }) => (
  <span class="row wrap person-tags">
    {ids.slice(0, MAX_TAGS).map((id) => (
      <a key={id} class="tag truncate" href={`${BASE}/segments/${id}`}>
        {names.get(id) ?? id}
      </a>
    ))}
    {ids.length > MAX_TAGS && <span class="sm muted">{texts.more(ids.length - MAX_TAGS)}</span>}
  </span>
)

const Actions = ({ person, me, onEdit, onRemove }: Omit<RowProps, 'names' | 'view'>) => (
  <td class="end">
    <span class="row">
      <button
        class="btn ghost icon small"
        type="button"
        aria-label={texts.edit(nameOf(person))}
        onClick={() => onEdit(person)}
      >
        <Icon name="pencil" />
      </button>
      {mayRemove(me, person) && (
        <button
          class="btn ghost icon small danger"
          type="button"
          aria-label={texts.remove(nameOf(person))}
          onClick={() => onRemove(person)}
        >
          <Icon name="remove" />
        </button>
      )}
    </span>
  </td>
)
