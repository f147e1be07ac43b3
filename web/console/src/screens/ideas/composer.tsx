import { useState } from 'preact/hooks'
import { toParagraphs } from '../../../../../src/text/html/paragraphs'
import { client } from '../../api/client'
import { queries } from '../../api/queries'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { describeMail, type MailCount, NO_MAIL, nameWithMail } from '../../parts/mail-count'
import { Waiting } from '../../parts/waiting'
import { showToast } from '../../state/toast'
import { AudienceOf, type NotifyChoice, useAudience } from './audience'
import { draftOf, KINDS, kind, MESSAGE_FIELD, STATUS_FIELD, saveDraft } from './composer-state'
import type { IdeaList } from './idea-list'
import { describeReply } from './reply-mail'
import { type Idea, type Status, useStatuses } from './requests'
import { labelOf } from './status-badge'
import { texts } from './texts/texts'

const FIRST_NOTIFY: NotifyChoice = 'later'
const REASON = 'idea-answer-reason'
const MAX_CHARACTERS = { status: 2_000, reply: 100_000, note: 100_000 }

/** A status update with its mail, a public reply, or a note for the team. */
export function Composer({ idea, list }: { idea: Idea; list: IdeaList }) {
  const statuses = useStatuses()
  const key = idea.external_key
  const [picked, pick] = useState<number>()
  const [notify, setNotify] = useState<NotifyChoice>(FIRST_NOTIFY)
  const { data: audience } = useAudience(key)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const status = statuses.find(({ id }) => id === (picked ?? idea.status_id))
  const of = kind.value
  const text = draftOf(key, of)
  const isNewStatus = status !== undefined && status.id !== idea.status_id
  const isReady = (of === 'status' && isNewStatus) || (text.trim() !== '' && (of !== 'status' || status !== undefined))
  const isUnchosen = of === 'status' && !isReady
  const mail: MailCount | undefined = of === 'status' && notify !== 'none' ? audience : NO_MAIL
  const replyWords = describeReply(texts, audience?.reply)
  const buttons = { status: nameWithMail(texts.send.status, mail), reply: replyWords.button, note: texts.send.note }

  async function send(event?: Event): Promise<void> {
    event?.preventDefault()
    if (isSending || !isReady) return
    setSending(true)
    setError(undefined)
    try {
      if (of !== 'status') await comment(key, text, of === 'note')
      else if (status) await updateStatus({ idea, list, status, message: text, notify })
      saveDraft(key, of, '')
      pick(undefined)
      setNotify(FIRST_NOTIFY)
      const said = of === 'reply' ? replyWords.toast : describeMail(mail)
      showToast(texts.sent(of === 'status' && isNewStatus ? labelOf(status) : texts.sentKinds[of], said))
    } catch (cause) {
      setError(cause)
    } finally {
      setSending(false)
    }
  }

  return (
    <section class="stack tight" aria-labelledby="idea-answer">
      <h3 id="idea-answer">{texts.answer}</h3>
      {error !== undefined && <Failure title={texts.notSent[of]} error={error} onRetry={() => void send()} />}
      <form class="composer" onSubmit={send}>
        <Kinds />
        <textarea
          class="textarea"
          id={MESSAGE_FIELD}
          aria-label={texts.messages[of]}
          placeholder={texts.messages[of]}
          maxLength={MAX_CHARACTERS[of]}
          value={text}
          onInput={(event) => saveDraft(key, of, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send(event)
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <footer>
          {of === 'status' ? (
            <>
              <StatusSelect statuses={statuses} value={status} onChange={pick} />
              <AudienceOf data={audience} notify={notify} onChange={setNotify} />
            </>
          ) : (
            <span class="hint">{of === 'reply' ? replyWords.hint : texts.noteReach}</span>
          )}
          <Waiting isSaving={isSending} />
          {isUnchosen && (
            <span class="hint" id={REASON}>
              {texts.nothingChosen}
            </span>
          )}
          <button
            class="btn primary small push"
            type="submit"
            disabled={!isReady}
            {...(isUnchosen && { 'aria-describedby': REASON })}
            aria-busy={isSending}
          >
            {of === 'status' && isNewStatus ? nameWithMail(texts.setTo(labelOf(status)), mail) : buttons[of]}
          </button>
        </footer>
      </form>
    </section>
  )
}

const Kinds = () => (
  <header>
    <div class="segmented" role="radiogroup" aria-label={texts.kindOfAnswer}>
      {KINDS.map((name) => (
        <label key={name}>
          {name === 'note' && <Icon name="lock" />}
          <input
            type="radio"
            name="kind-of-answer"
            checked={kind.value === name}
            onChange={() => {
              kind.value = name
            }}
          />
          {texts.kinds[name]}
        </label>
      ))}
    </div>
  </header>
)

interface StatusSelectProps {
  statuses: readonly Status[]
  value: Status | undefined
  onChange: (id: number) => void
}

const StatusSelect = ({ statuses, value, onChange }: StatusSelectProps) => (
  <select
    class="select auto"
    id={STATUS_FIELD}
    aria-label={texts.newStatus}
    value={value?.id ?? ''}
    onChange={(event) => onChange(Number(event.currentTarget.value))}
  >
    {!value && (
      <option value="" disabled>
        {texts.noStatus}
      </option>
    )}
    {statuses.map((status) => (
      <option key={status.id} value={status.id}>
        {labelOf(status)}
      </option>
    ))}
  </select>
)

async function comment(key: string, text: string, isPrivate: boolean): Promise<void> {
  await client.addComment({ feedback_external_key: key, body: { text: toParagraphs(text), isPrivate } })
  await queries.invalidateQueries({ queryKey: ['comment', key] })
}

interface StatusChange {
  idea: Idea
  list: IdeaList
  status: Status
  message: string
  notify: NotifyChoice
}

/** The row shows the status at once, and the former status again if the service refuses. */
async function updateStatus({ idea, list, status, message, notify }: StatusChange): Promise<void> {
  const { external_key: key, status_id } = idea
  list.patch(key, { status_id: status.id })
  try {
    const body = { status: status.id, message, notify }
    await list.sendFor([key], () => client.createStatusUpdate({ feedback_external_key: key, body }))
  } catch (error) {
    list.patch(key, { status_id })
    throw error
  }
  await queries.invalidateQueries({ queryKey: ['feedback', key] })
}
