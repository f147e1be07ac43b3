import { useState } from 'preact/hooks'
import { nameOf, useUsers } from '../../api/users'
import { Avatar } from '../../parts/avatar'
import { Prose } from '../../parts/prose'
import { formatAge, formatMoment } from '../../texts/formats'
import { type Document, type DocumentEvent, type DocumentPlace, useHistory } from './requests'
import { texts } from './texts/texts'

type Text = Partial<Pick<Document, 'title' | 'content'>>

interface HistoryProps {
  place: DocumentPlace
  may: boolean
  onUse: (text: Text) => void
}

/** The values before the change that a version of the document can bring back. */
function formerText({ previous }: DocumentEvent): Text | undefined {
  const { title, content } = (previous ?? {}) as Text
  if (title === undefined && content === undefined) return undefined
  return { ...(title !== undefined && { title }), ...(content !== undefined && { content }) }
}

/** Who changed what, with the text before each change. */
export function History({ place, may, onUse }: HistoryProps) {
  const users = useUsers()
  const { data: events = [] } = useHistory(place)
  const nameOfActor = ({ actor }: DocumentEvent): string => {
    const user = users.find(({ id }) => id === actor.userId)
    return user ? nameOf(user) : (actor.keyName ?? texts.somebody)
  }
  return (
    <section class="stack tight" aria-labelledby="document-history">
      <h3 id="document-history">{texts.history}</h3>
      <ol class="stack tight">
        {events.map((event) => (
          <Change key={event.id} event={event} name={nameOfActor(event)} {...(may && { onUse })} />
        ))}
      </ol>
    </section>
  )
}

interface ChangeProps {
  event: DocumentEvent
  /** Who changed the document. */
  name: string
  onUse?: HistoryProps['onUse']
}

function Change({ event, name, onUse }: ChangeProps) {
  const [isOpen, open] = useState(false)
  const former = formerText(event)
  return (
    <li class="stack tight">
      <div class="row sm">
        <Avatar name={name} />
        <span class="grow">
          <strong>{name}</strong> {describe(event)}
        </span>
        <time class="muted" dateTime={event.createdAt} title={formatMoment(event.createdAt)}>
          {formatAge(event.createdAt)}
        </time>
        {former && (
          <button class="btn ghost small" type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            {texts.before}
          </button>
        )}
      </div>
      {former && isOpen && (
        <section class="card pad stack tight" aria-label={texts.before}>
          {former.title !== undefined && <p class="b">{former.title}</p>}
          {former.content !== undefined && <Prose html={former.content || `<p>${texts.noText}</p>`} level={4} />}
          {onUse && (
            <div class="row">
              <button class="btn small" type="button" onClick={() => onUse(former)}>
                {texts.useBefore}
              </button>
            </div>
          )}
        </section>
      )}
    </li>
  )
}

function describe({ type, previous }: DocumentEvent): string {
  const act = type.split('.')[1] ?? ''
  const fields = Object.keys(previous ?? {}).map((name) => texts.fields[name as keyof typeof texts.fields] ?? name)
  if (act === 'updated' && fields.length) return texts.changed(fields.join(', '))
  return texts.acts[act as keyof typeof texts.acts] ?? type
}
