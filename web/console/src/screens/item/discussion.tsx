import { useState } from 'preact/hooks'
import { toParagraphs } from '../../../../../src/text/html/paragraphs'
import { type Me, mayFollowEvents } from '../../api/me'
import { nameOf } from '../../api/users'
import { Avatar } from '../../parts/avatar'
import { Failure } from '../../parts/failure'
import { formatAge, formatMoment } from '../../texts/formats'
import { History } from './history'
import { type ItemPlace, sendComment, useComments } from './requests'
import { texts } from './texts/texts'

type Tab = 'comments' | 'history'

/** Comments, and what has happened to the item. */
export function Discussion({ me, place, may }: { me: Me; place: ItemPlace; may: boolean }) {
  const [tab, setTab] = useState<Tab>('comments')
  const tabs: readonly Tab[] = mayFollowEvents(me) ? ['comments', 'history'] : ['comments']
  const turn = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(tab) + 1) % tabs.length] ?? 'comments'
    setTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <section aria-label={texts.discussion}>
      <div class="tabs" role="tablist" aria-label={texts.discussion} tabIndex={-1} onKeyDown={turn}>
        {tabs.map((one) => (
          <button
            key={one}
            id={`tab-${one}`}
            type="button"
            role="tab"
            aria-selected={tab === one}
            aria-controls="talk"
            tabIndex={tab === one ? 0 : -1}
            onClick={() => setTab(one)}
          >
            {texts[one]}
          </button>
        ))}
      </div>
      <div id="talk" role="tabpanel" aria-labelledby={`tab-${tab}`} class="stack talk">
        {tab === 'comments' ? <Comments place={place} may={may} /> : <History place={place} />}
      </div>
    </section>
  )
}

function Comments({ place, may }: { place: ItemPlace; may: boolean }) {
  const { data: comments, error, refetch } = useComments(place)
  const [text, setText] = useState('')
  const [failed, setFailed] = useState<unknown>()
  const send = async () => {
    setFailed(undefined)
    try {
      await sendComment(place, toParagraphs(text))
      setText('')
      await refetch()
    } catch (cause) {
      setFailed(cause)
    }
  }
  return (
    <>
      {error && !comments && <Failure title={texts.commentsFailed} error={error} onRetry={() => refetch()} />}
      {comments?.length === 0 && <p class="sm muted">{texts.noComments}</p>}
      {comments?.map(({ id, user, text: html, createdAt, deleted }) => (
        <article key={id} class="row top">
          <Avatar name={nameOf({ ...user, email: '' })} />
          <div class="grow">
            <p class="sm">
              <strong>{nameOf({ ...user, email: texts.somebody })}</strong>{' '}
              <time class="muted" dateTime={createdAt} title={formatMoment(createdAt)}>
                {formatAge(createdAt)}
              </time>
            </p>
            {deleted ? (
              <p class="muted">{texts.removedComment}</p>
            ) : (
              <div class="prose md" dangerouslySetInnerHTML={{ __html: html }} />
            )}
          </div>
        </article>
      ))}
      {may && (
        <form
          class="stack tight"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          {failed !== undefined && <Failure title={texts.commentFailed} error={failed} />}
          <div class="field">
            <label class="sr" for="item-comment">
              {texts.comment}
            </label>
            <textarea
              class="textarea"
              id="item-comment"
              required
              maxLength={100_000}
              placeholder={texts.commentHint}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
          <button class="btn primary small fit" type="submit">
            {texts.addComment}
          </button>
        </form>
      )}
    </>
  )
}
