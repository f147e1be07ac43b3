import { useRef, useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { type Person, type PersonFields, readPeopleAgain } from './people-requests'
import { PersonForm } from './person-fields'
import { texts } from './texts/texts'

const NOBODY: PersonFields = { email: '', firstName: '', lastName: '', role: 'member' }

interface AddPersonDialogProps {
  me: Me
  onAdd: (person: Person) => void
  onClose: () => void
}

export function AddPersonDialog({ me, onAdd, onClose }: AddPersonDialogProps) {
  const [person, setPerson] = useState(NOBODY)
  const user = useRef<Person>(undefined)
  async function add(): Promise<void> {
    user.current = await client.createUser({ body: { ...person, email: person.email.trim() } })
    await readPeopleAgain()
  }
  return (
    <AskDialog
      title={texts.people.add}
      action={texts.people.add}
      failed={texts.people.addFailed}
      onAct={add}
      onClose={onClose}
      onDone={() => user.current && onAdd(user.current)}
    >
      <PersonForm me={me} value={person} onChange={(change) => setPerson({ ...person, ...change })} />
      <p class="sm muted">{texts.people.addHint}</p>
    </AskDialog>
  )
}
