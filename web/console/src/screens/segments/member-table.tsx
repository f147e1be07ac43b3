import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { formatAge, formatMoment } from '../../texts/formats'
import type { Member } from './requests'
import { texts } from './texts/texts'

interface MemberTableProps {
  members: readonly Member[]
  /** Ids of members who have not confirmed. */
  pending: ReadonlySet<number>
  /** Absent for people who may not change the segment. */
  onTakeOut: ((person: Member) => void) | undefined
}

export const MemberTable = ({ members, pending, onTakeOut }: MemberTableProps) => (
  <table class="table stack-table">
    <thead>
      <tr>
        <th scope="col">{texts.person}</th>
        <th scope="col">{texts.since}</th>
        {onTakeOut && (
          <th scope="col">
            <span class="sr">{texts.actions}</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {members.map((person) => (
        <tr key={person.id}>
          <th scope="row">
            <PersonName person={person}>
              {pending.has(person.id) && <span class="tag">{texts.pending}</span>}
            </PersonName>
          </th>
          <td data-th={texts.since} class="muted">
            <time dateTime={person.createdAt} title={formatMoment(person.createdAt)}>
              {formatAge(person.createdAt)}
            </time>
          </td>
          {onTakeOut && (
            <td class="end">
              <span class="row">
                <button
                  class="btn ghost icon small"
                  type="button"
                  aria-label={texts.takeOut(nameOf(person))}
                  onClick={() => onTakeOut(person)}
                >
                  <Icon name="x" />
                </button>
              </span>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
)
