import { GroundworkError } from 'groundwork-client'
import { useEffect, useState } from 'preact/hooks'
import { client } from '../../api/client'
import { useQuery } from '../../api/queries'
import { AskDialog } from '../../parts/ask-dialog'
import { Icon } from '../../parts/icon'
import { nameOf, PersonName } from '../../parts/person'
import { showToast } from '../../state/toast'
import { type Member, readAgain, type Segment, sendMembers } from './requests'
import { texts } from './texts/texts'

const PAUSE_MS = 250
const MAX_FOUND = 8
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

interface AddPeopleDialogProps {
  segment: Segment
  onClose: () => void
}

type Named = Pick<Member, 'email' | 'firstName' | 'lastName'>

/** Known people are found by their words; an address that nobody has becomes a person. */
export function AddPeopleDialog({ segment, onClose }: AddPeopleDialogProps) {
  const [chosen, setChosen] = useState<readonly Named[]>([])
  const choose = (person: Named) =>
    setChosen((people) => [...people.filter(({ email }) => email !== person.email), person])
  async function add(): Promise<void> {
    const emails = chosen.map(({ email }) => email)
    const { inviteResults } = await sendMembers(segment.id, emails)
    await readAgain()
    const refused = inviteResults.flatMap(({ success, message }) => (success ? [] : [message ?? '']))
    if (refused.length) throw new GroundworkError(refused.join(' '), { code: 'conflict', status: 200 })
    showToast(texts.wereAdded(emails.length))
  }
  return (
    <AskDialog
      title={texts.addPeople}
      action={texts.addAction(chosen.length)}
      failed={texts.notAdded}
      isReady={chosen.length > 0}
      onAct={add}
      onClose={onClose}
    >
      <PersonSearch chosen={chosen} onChoose={choose} />
      {segment.doubleOptIn && <p class="sm">{texts.joinMail}</p>}
      {chosen.length > 0 && (
        <section class="stack tight" aria-label={texts.chosenPeople}>
          <h3 class="label">{texts.chosenPeople}</h3>
          {chosen.map((person) => (
            <span key={person.email} class="row">
              <PersonName person={person} />
              <button
                class="btn ghost icon small push"
                type="button"
                aria-label={texts.leaveOut(nameOf(person))}
                onClick={() => setChosen(chosen.filter((one) => one !== person))}
              >
                <Icon name="x" />
              </button>
            </span>
          ))}
        </section>
      )}
    </AskDialog>
  )
}

interface PersonSearchProps {
  chosen: readonly Named[]
  onChoose: (person: Named) => void
}

function PersonSearch({ chosen, onChoose }: PersonSearchProps) {
  const [text, setText] = useState('')
  const [settled, settle] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useQuery<Member[]>({
    queryKey: ['member', 'search', settled],
    queryFn: ({ signal }) => client.listMembers({ q: settled, limit: MAX_FOUND }, { signal }),
    enabled: settled !== '',
  })
  const found = settled ? (data ?? []).filter(({ email }) => !chosen.some((one) => one.email === email)) : []
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text.trim() === '') return
    event.preventDefault()
    const email = text.trim().toLowerCase()
    const known = found.find((person) => person.email.toLowerCase() === email)
    if (!known && !ADDRESS.test(email)) return
    onChoose(known ?? { email, firstName: '', lastName: '' })
    setText('')
  }
  return (
    <div class="stack tight">
      <label class="field">
        <span class="label">{texts.findPeople}</span>
        <input
          class="input"
          id="find-people"
          type="search"
          maxLength={254}
          autocomplete="off"
          autofocus
          aria-describedby="find-people-hint"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={enter}
        />
      </label>
      <p class="hint" id="find-people-hint">
        {texts.findPeopleHint}
      </p>
      <p class="sr" role="status">
        {settled && data && texts.foundPeople(found.length)}
      </p>
      {found.map((person) => (
        <span key={person.email} class="row">
          <PersonName person={person} />
          <button
            class="btn small push"
            type="button"
            aria-label={texts.addOne(nameOf(person))}
            onClick={() => {
              onChoose(person)
              setText('')
              document.getElementById('find-people')?.focus()
            }}
          >
            <Icon name="plus" />
          </button>
        </span>
      ))}
    </div>
  )
}
