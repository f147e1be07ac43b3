import { useEffect, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import type { Me } from '../../api/me'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { nameOf } from '../../parts/person'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { texts as shared } from '../../texts/texts'
import { type Person, type PersonFields, readPeopleAgain, readPerson, sendPerson } from './people-requests'
import { PersonForm } from './person-fields'
import { texts } from './texts/texts'

interface EditPersonDialogProps {
  me: Me
  person: Person
  onClose: () => void
}

/** Only what the person has typed is sent. */
const differences = (typed: PersonFields, base: PersonFields): Partial<PersonFields> =>
  Object.fromEntries(Object.entries(typed).filter(([name, value]) => base[name as keyof PersonFields] !== value))

const showValue = (field: keyof PersonFields, value: string): string =>
  field === 'role' ? texts.people.roles[value as PersonFields['role']] : value

export function EditPersonDialog({ me, person, onClose }: EditPersonDialogProps) {
  const [current, setCurrent] = useState<Versioned<PersonFields>>()
  const [loadError, setLoadError] = useState<unknown>()
  const [typed, setTyped] = useState<Partial<PersonFields>>({})
  const load = () => {
    setLoadError(undefined)
    readPerson(person.id).then(setCurrent, setLoadError)
  }
  useEffect(load, [])
  const { save, conflict, failure, isSaving } = useChange<PersonFields>({
    current,
    read: () => readPerson(person.id),
    accept: setCurrent,
    async send(change, etag) {
      const stored = await sendPerson(person.id, change, etag)
      await readPeopleAgain()
      onClose()
      showToast(texts.people.saved(nameOf(stored.record)))
      return stored
    },
  })
  const value = current && { ...current.record, ...typed }
  const change = value && current ? differences(value, current.record) : {}
  const isRoleNew = change.role !== undefined
  const title = texts.people.edit(nameOf(person))
  return (
    <Modal label={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save(change, current?.record)
        }}
      >
        <header>
          <h2 class="h3">{title}</h2>
        </header>
        <div class="body stack">
          {loadError !== undefined && <Failure title={texts.people.listFailed} error={loadError} onRetry={load} />}
          {failure && <Failure title={texts.people.saveFailed} error={failure.error} />}
          {conflict && (
            <ConflictBanner
              conflict={{
                ...conflict,
                takeTheirs() {
                  setTyped({})
                  conflict.takeTheirs()
                },
              }}
              show={showValue}
              name={(field) => texts.people.fields[field]}
            />
          )}
          {!value && loadError === undefined && <Skeleton />}
          {value && <PersonForm me={me} value={value} onChange={(more) => setTyped({ ...typed, ...more })} />}
          <p class="sm" role="status">
            {isRoleNew &&
              (person.id === me.user?.id ? texts.people.ownRoleChange : texts.people.roleChange(nameOf(person)))}
          </p>
        </div>
        <footer>
          <button class="btn ghost" type="button" onClick={onClose}>
            {shared.cancel}
          </button>
          <button
            class="btn primary"
            type="submit"
            disabled={Object.keys(change).length === 0 || isSaving || conflict !== undefined}
            aria-busy={isSaving}
          >
            {isRoleNew ? texts.people.saveRole : texts.people.save}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
