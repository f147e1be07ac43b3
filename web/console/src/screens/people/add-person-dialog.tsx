import { useState } from 'preact/hooks'
import { client } from '../../api/client'
import { AskDialog } from '../../parts/ask-dialog'
import { showToast } from '../../state/toast'
import { useSegmentList } from '../segments/requests'
import { AttributeFields, type AttributeRow } from './attribute-fields'
import { NameFields, type Names } from './name-fields'
import { readPeopleAgain } from './requests'
import { texts } from './texts/texts'

export function AddPersonDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [names, setNames] = useState<Names>({ firstName: '', lastName: '' })
  const [rows, setRows] = useState<readonly AttributeRow[]>([])
  const [joined, join] = useState<ReadonlySet<number>>(new Set())
  const [invites, invite] = useState(false)
  const manual = (useSegmentList().data ?? []).filter(({ type }) => type === 'manual')
  async function add(): Promise<void> {
    const attributes = Object.fromEntries(
      rows.filter(({ name }) => name.trim()).map(({ name, value }) => [name.trim(), value]),
    )
    const body = { email: email.trim(), ...names, attributes, segmentIds: [...joined] }
    await client.createMember({ invite: invites ? 'true' : 'false', body })
    await readPeopleAgain()
    showToast(texts.added(body.email))
  }
  const toggle = (id: number) =>
    join((ids) => new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]))
  return (
    <AskDialog
      title={texts.add}
      action={invites ? texts.addAndInvite : texts.add}
      failed={texts.addFailed}
      isReady={email.trim() !== ''}
      onAct={add}
      onClose={onClose}
    >
      <div class="field">
        <label for="member-email">{texts.email}</label>
        <input
          class="input"
          id="member-email"
          type="email"
          required
          maxLength={254}
          autocomplete="off"
          autofocus
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </div>
      <NameFields names={names} onChange={setNames} />
      <AttributeFields rows={rows} onChange={setRows} />
      {manual.length > 0 && (
        <fieldset class="stack tight">
          <legend class="label">{texts.joins}</legend>
          {manual.map(({ id, name }) => (
            <label key={id} class="check">
              <input type="checkbox" checked={joined.has(id)} onChange={() => toggle(id)} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <label class="check">
        <input type="checkbox" checked={invites} onChange={({ currentTarget }) => invite(currentTarget.checked)} />
        {texts.invite}
      </label>
    </AskDialog>
  )
}
