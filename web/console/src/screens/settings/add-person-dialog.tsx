import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import type { Me } from '../../api/me'
import { AskDialog } from '../../parts/ask-dialog'
import { showToast } from '../../state/toast'
import { type PersonFields, readPeopleAgain } from './people-requests'
import { PersonForm } from './person-fields'
import { texts } from './texts/texts'

const NOBODY: PersonFields = { email: '', firstName: '', lastName: '', role: 'member' }

export function AddPersonDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const [person, setPerson] = useState(NOBODY)
  async function add(): Promise<void> {
    const { email } = await client.createUser({ body: { ...person, email: person.email.trim() } })
    await readPeopleAgain()
    showToast(texts.people.added(email))
  }
  return (
    <AskDialog
      title={texts.people.add}
      action={texts.people.add}
      failed={texts.people.addFailed}
      onAct={add}
      onClose={onClose}
    >
      <PersonForm me={me} value={person} onChange={(change) => setPerson({ ...person, ...change })} />
      <p class="sm muted">{texts.people.signInHint(`${location.host}/sign-in`)}</p>
    </AskDialog>
  )
}
