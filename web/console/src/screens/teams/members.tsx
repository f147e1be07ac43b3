import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { useQuery } from '../../api/queries'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { RecordTable } from '../../parts/record-table'
import { showToast } from '../../state/toast'
import { leaveRow } from '../settings/leave-row'
import { type Person, readPeople } from '../settings/people-requests'
import { texts as settings } from '../settings/texts/texts'
import { changeOf, type Team } from './requests'
import { texts } from './texts/texts'

const MAX_PEOPLE = 1_000

interface MembersProps {
  stored: Versioned<Team>
  may: boolean
  main: RefObject<HTMLElement | null>
}

export function Members({ stored, may, main }: MembersProps) {
  const { data } = useQuery({ queryKey: ['user', 'teams'], queryFn: () => readPeople('team', MAX_PEOPLE) })
  const people = data?.people ?? []
  const { shown, save, conflict, failure } = useChange<Team>({ ...changeOf(stored.record.id), current: stored })
  const members = shown?.members ?? []
  const nameOfId = (id: number) => {
    const person = people.find((one) => one.id === id)
    return person ? nameOf(person) : texts.unknownPerson
  }
  const latest = useRef(shown)
  latest.current = shown
  /** A change begins with the members that the page shows, so that quick changes are no conflict. */
  const change = (to: (members: readonly number[]) => number[]) => {
    const before = latest.current
    if (before) save({ members: to(before.members) }, before)
  }
  const join = (id: number) => {
    change((ids) => [...ids.filter((one) => one !== id), id])
    showToast(texts.joined(nameOfId(id)))
  }
  function leave(id: number): void {
    leaveRow(main.current)
    change((ids) => ids.filter((one) => one !== id))
    showToast(texts.left(nameOfId(id)), () => change((ids) => [...ids.filter((one) => one !== id), id]))
  }
  return (
    <section class="stack" aria-labelledby="team-members">
      <h2 class="h3" id="team-members">
        {texts.members}
      </h2>
      {failure && <Failure title={texts.membersFailed} error={failure.error} onRetry={failure.retry} />}
      {conflict && (
        <ConflictBanner
          conflict={conflict}
          show={(_, value) => (Array.isArray(value) ? value.map((id) => nameOfId(Number(id))).join(', ') : '')}
          name={(field) => texts.fields[field]}
        />
      )}
      {may && <JoinField people={people.filter(({ id }) => !members.includes(id))} onJoin={join} />}
      {members.length === 0 && <p class="sm muted">{texts.noMembers}</p>}
      {members.length > 0 && data && (
        <RecordTable
          records={members.map((id) => ({ id, person: people.find((one) => one.id === id) }))}
          keyOf={({ id }) => id}
          columns={[
            {
              title: texts.name,
              show: ({ person }) => (person ? <PersonName person={person} /> : texts.unknownPerson),
            },
            {
              title: texts.role,
              show: ({ person }) => (person ? settings.people.roles[person.role] : ''),
              isMuted: true,
            },
          ]}
          actions={
            may
              ? {
                  title: texts.actions,
                  show: ({ id }) => (
                    <button
                      class="btn ghost icon small danger"
                      type="button"
                      aria-label={texts.leave(nameOfId(id))}
                      onClick={() => leave(id)}
                    >
                      <Icon name="x" />
                    </button>
                  ),
                }
              : undefined
          }
        />
      )}
    </section>
  )
}

interface JoinFieldProps {
  people: readonly Person[]
  onJoin: (id: number) => void
}

function JoinField({ people, onJoin }: JoinFieldProps) {
  const [chosen, choose] = useState('')
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault()
        onJoin(Number(chosen))
        choose('')
      }}
    >
      <label for="team-join">{texts.addMember}</label>
      <div class="row">
        <select
          class="select"
          id="team-join"
          value={chosen}
          disabled={people.length === 0}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">{people.length ? texts.choosePerson : texts.everybody}</option>
          {people.map((person) => (
            <option key={person.id} value={person.id}>
              {nameOf(person)}
            </option>
          ))}
        </select>
        <button class="btn" type="submit" disabled={!chosen}>
          {texts.join}
        </button>
      </div>
    </form>
  )
}
