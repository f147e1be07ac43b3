import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { type Me, maySee } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { RecordTable } from '../../parts/record-table'
import { showToast } from '../../state/toast'
import { mayGive } from '../settings/role-choice'
import { texts as settings } from '../settings/texts/texts'
import { ConfirmField, Consequences } from './consequences'
import { eraseMember, findMembers, type Member, pathOfPersonalData } from './requests'
import { texts } from './texts/texts'

interface PersonCardProps {
  me: Me
  main: RefObject<HTMLElement | null>
}

export function PersonCard({ me, main }: PersonCardProps) {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<readonly Member[]>()
  const [error, setError] = useState<unknown>()
  const [leaving, setLeaving] = useState<Member>()
  async function search(): Promise<void> {
    setError(undefined)
    try {
      setFound(await findMembers(query.trim()))
    } catch (cause) {
      setError(cause)
    }
  }
  const mayErase = maySee(me, 'segments:write')
  return (
    <section class="card pad stack" aria-labelledby="data-person">
      <h2 class="h3" id="data-person">
        {texts.person.title}
      </h2>
      <p class="sm muted">{texts.person.hint}</p>
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault()
          void search()
        }}
      >
        <label for="person-query">{texts.person.search}</label>
        <div class="row">
          <input
            class="input"
            type="search"
            id="person-query"
            required
            pattern=".*\S.*"
            autocomplete="off"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <button class="btn" type="submit">
            {texts.person.searchAction}
          </button>
        </div>
      </form>
      {error !== undefined && <Failure title={texts.person.failed} error={error} onRetry={() => void search()} />}
      <p role="status" class="sm">
        {found?.length === 0 && texts.person.none}
      </p>
      {found && found.length > 0 && (
        <RecordTable
          records={found}
          keyOf={({ id }) => id}
          columns={[
            {
              title: texts.person.name,
              show: (person) => (
                <PersonName person={person}>
                  {person.deletedAt && <span class="tag">{texts.person.removed}</span>}
                </PersonName>
              ),
            },
            { title: texts.person.role, show: ({ role }) => settings.people.roles[role], isMuted: true },
          ]}
          actions={{
            title: texts.person.actions,
            show: (person) => (
              <>
                <a
                  class="btn small"
                  href={pathOfPersonalData(person)}
                  download={`${person.email}.json`}
                  aria-label={texts.person.download(nameOf(person))}
                >
                  <Icon name="download" />
                  {texts.person.downloadShort}
                </a>
                {mayErase && mayGive(me, person.role) && (
                  <button
                    class="btn small danger"
                    type="button"
                    aria-label={texts.person.erase(nameOf(person))}
                    onClick={() => setLeaving(person)}
                  >
                    {texts.person.eraseShort}
                  </button>
                )}
              </>
            ),
          }}
        />
      )}
      {leaving && (
        <EraseDialog
          person={leaving}
          onClose={() => setLeaving(undefined)}
          onErased={() => {
            setFound(found?.filter(({ id }) => id !== leaving.id))
            main.current?.focus()
          }}
        />
      )}
    </section>
  )
}

interface EraseDialogProps {
  person: Member
  onClose: () => void
  onErased: () => void
}

function EraseDialog({ person, onClose, onErased }: EraseDialogProps) {
  const [typed, setTyped] = useState('')
  const name = nameOf(person)
  return (
    <AskDialog
      title={texts.person.erase(name)}
      action={texts.person.eraseAction}
      failed={texts.person.eraseFailed(name)}
      isReady={typed.trim().toLowerCase() === person.email}
      isDanger
      onClose={onClose}
      onDone={onErased}
      onAct={async () => {
        await eraseMember(person.id)
        showToast(texts.person.erased(name))
      }}
    >
      <Consequences lines={texts.person.consequences} />
      <ConfirmField id="erase-person" label={texts.person.confirm(person.email)} value={typed} onInput={setTyped} />
    </AskDialog>
  )
}
