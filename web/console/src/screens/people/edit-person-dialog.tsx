import { useEffect, useState } from 'preact/hooks'
import { useChange, type Versioned } from '../../api/change'
import { ConflictBanner } from '../../parts/conflict-banner'
import { Failure } from '../../parts/failure'
import { Modal } from '../../parts/modal'
import { nameOf } from '../../parts/person'
import { Skeleton } from '../../parts/skeleton'
import { showToast } from '../../state/toast'
import { texts as shared } from '../../texts/texts'
import { AttributeFields, type AttributeRow, toAttributeValue, toRows } from './attribute-fields'
import { NameFields, type Names } from './name-fields'
import {
  type AttributeValue,
  nameOfField,
  type Person,
  type PersonFields,
  readPeopleAgain,
  readPerson,
  sendPerson,
  toAttributeField,
} from './requests'
import { texts } from './texts/texts'

interface Typed {
  names: Names
  rows: readonly AttributeRow[]
}

function toTyped(fields: PersonFields): Typed {
  const attributes = Object.entries(fields).flatMap(([field, value]) => {
    const name = nameOfField(field)
    return name === undefined || value === null ? [] : [[name, value] as [string, AttributeValue]]
  })
  return {
    names: { firstName: String(fields.firstName ?? ''), lastName: String(fields.lastName ?? '') },
    rows: toRows(Object.fromEntries(attributes)),
  }
}

/** Only what the person has typed is sent; a row that is gone clears its attribute. */
function findChanges({ names, rows }: Typed, base: PersonFields): PersonFields {
  const named = rows.filter(({ name }) => name.trim())
  const typed: PersonFields = {
    ...names,
    ...Object.fromEntries(
      named.map(({ name, value }) => {
        const field = toAttributeField(name.trim())
        return [field, toAttributeValue(value, base[field])]
      }),
    ),
  }
  const cleared = Object.keys(base).filter((field) => !(field in typed))
  const changed = Object.entries(typed).filter(([field, value]) => base[field] !== value)
  return { ...Object.fromEntries(changed), ...Object.fromEntries(cleared.map((field) => [field, null])) }
}

const nameOfAny = (field: string | number): string =>
  nameOfField(String(field)) ?? (field === 'firstName' ? texts.firstName : texts.lastName)

interface EditPersonDialogProps {
  person: Person
  onClose: () => void
}

export function EditPersonDialog({ person, onClose }: EditPersonDialogProps) {
  const [current, setCurrent] = useState<Versioned<PersonFields>>()
  const [base, setBase] = useState<PersonFields>()
  const [typed, setTyped] = useState<Typed>()
  const [loadError, setLoadError] = useState<unknown>()
  const begin = (loaded: Versioned<PersonFields>) => {
    setCurrent(loaded)
    setBase(loaded.record)
    setTyped(toTyped(loaded.record))
  }
  const load = () => {
    setLoadError(undefined)
    readPerson(person.id).then(begin, setLoadError)
  }
  useEffect(load, [])
  const { save, conflict, failure, isSaving } = useChange<PersonFields>({
    ...{ current, read: () => readPerson(person.id), accept: setCurrent },
    async send(change, etag) {
      const stored = await sendPerson(person.id, change, etag)
      await readPeopleAgain()
      onClose()
      showToast(texts.saved(nameOf(person)))
      return stored
    },
  })
  const changes = typed && base ? findChanges(typed, base) : {}
  const title = texts.edit(nameOf(person))
  return (
    <Modal label={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save(changes, base)
        }}
      >
        <header>
          <h2 class="h3">{title}</h2>
        </header>
        <div class="body stack">
          {loadError !== undefined && <Failure title={texts.loadFailed} error={loadError} onRetry={load} />}
          {failure && <Failure title={texts.saveFailed} error={failure.error} />}
          {conflict && (
            <ConflictBanner
              conflict={{
                ...conflict,
                takeTheirs() {
                  if (current) begin(current)
                  conflict.takeTheirs()
                },
              }}
              show={(_, value) => String(value ?? '–')}
              name={nameOfAny}
            />
          )}
          {!typed && loadError === undefined && <Skeleton />}
          {typed && (
            <>
              <p class="sm muted">
                {person.email}. {texts.accountHint}
              </p>
              <NameFields names={typed.names} onChange={(names) => setTyped({ ...typed, names })} />
              <AttributeFields rows={typed.rows} onChange={(rows) => setTyped({ ...typed, rows })} />
            </>
          )}
        </div>
        <footer>
          <button class="btn ghost" type="button" onClick={onClose}>
            {shared.cancel}
          </button>
          <button
            class="btn primary"
            type="submit"
            disabled={Object.keys(changes).length === 0 || isSaving || conflict !== undefined}
            aria-busy={isSaving}
          >
            {texts.save}
          </button>
        </footer>
      </form>
    </Modal>
  )
}
