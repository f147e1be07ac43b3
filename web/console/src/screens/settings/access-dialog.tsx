import { useState } from 'preact/hooks'
import { type Me, maySee } from '../../api/me'
import { Banner } from '../../parts/banner'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { Modal } from '../../parts/modal'
import { nameOf } from '../../parts/person'
import { formatMoment } from '../../texts/formats'
import { texts as shared } from '../../texts/texts'
import { type Invitation, type Person, sendInvitation, useInvitation, useSignInAddress } from './people-requests'
import { texts } from './texts/texts'

interface AccessDialogProps {
  me: Me
  person: Person
  isNew: boolean
  onClose: () => void
}

/** How a person gets in: the address of the sign-in, and an invitation by mail. */
export function AccessDialog({ me, person, isNew, onClose }: AccessDialogProps) {
  const address = useSignInAddress(person.role)
  const [isCopied, setCopied] = useState(false)
  const name = nameOf(person)
  const group = person.role === 'idm_member' ? 'portal' : 'team'
  const title = isNew ? texts.people.accessTitle(name) : texts.people.access(name)
  return (
    <Modal label={title} onClose={onClose}>
      <header>
        <h2 class="h3">{title}</h2>
      </header>
      <div class="body stack">
        <p>{address === null ? texts.people.noPortal : texts.people.accessHints[group](person.email)}</p>
        <div class="field">
          <label for="sign-in-address">{texts.people.accessAddress}</label>
          <input
            class="input"
            id="sign-in-address"
            readOnly
            value={address ?? ''}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </div>
        <p class="sm" role="status">
          {isCopied && texts.people.addressCopied}
        </p>
        {maySee(me, 'segments:write') && <InvitationPart person={person} />}
      </div>
      <footer>
        <button class="btn ghost" type="button" onClick={onClose}>
          {shared.done}
        </button>
        <button
          class="btn primary"
          type="button"
          disabled={!address}
          autofocus
          onClick={() => void navigator.clipboard.writeText(address ?? '').then(() => setCopied(true))}
        >
          {texts.people.copyAddress}
        </button>
      </footer>
    </Modal>
  )
}

function InvitationPart({ person }: { person: Person }) {
  const { data: invitation, error } = useInvitation(person.id)
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isSent, setSent] = useState(false)
  async function invite(): Promise<void> {
    setFailure(undefined)
    setSending(true)
    try {
      const refusal = await sendInvitation(person.id)
      setRefusal(refusal)
      setSent(refusal === undefined)
    } catch (cause) {
      setFailure(cause)
    } finally {
      setSending(false)
    }
  }
  if (error) return <Failure title={texts.people.listFailed} error={error} />
  return (
    <section class="stack tight" aria-labelledby="invitation">
      <h3 class="h4" id="invitation">
        {texts.people.invitation}
      </h3>
      <p class="sm" role="status">
        {isSent && <strong class="block">{texts.people.invited(person.email)}</strong>}
        {invitation !== undefined && <span class="block">{describe(invitation)}</span>}
      </p>
      {failure !== undefined && <Failure title={texts.people.inviteFailed} error={failure} />}
      {refusal && (
        <Banner tone="amber" icon="warn" title={texts.people.inviteFailed}>
          {refusal}
        </Banner>
      )}
      {invitation !== undefined && invitation?.status !== 'accepted' && (
        <p>
          <button class="btn small" type="button" disabled={isSending} aria-busy={isSending} onClick={invite}>
            <Icon name="mail" />
            {invitation ? texts.people.inviteAgain : texts.people.invite}
          </button>
        </p>
      )}
    </section>
  )
}

function describe(invitation: Invitation | null): string {
  if (!invitation) return texts.people.invitations.none
  return texts.people.invitations[invitation.status](
    formatMoment(invitation.sentAt),
    formatMoment(invitation.expiresAt),
  )
}
