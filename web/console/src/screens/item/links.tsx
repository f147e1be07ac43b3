import { useState } from 'preact/hooks'
import { Failure } from '../../parts/failure'
import { Icon } from '../../parts/icon'
import { BASE } from '../../state/place'
import { pathOfItem } from '../backlog/paths'
import { type ItemPlace, type Link, sendLink, sendLinkRemoval, useLinks } from './requests'
import { texts } from './texts/texts'

const TYPES: readonly Link['type'][] = ['blocks', 'relates', 'duplicates']

export function Links({ place, may }: { place: ItemPlace; may: boolean }) {
  const { data: links = [], refetch } = useLinks(place)
  const [error, setError] = useState<unknown>()
  const run = (send: () => Promise<unknown>) => {
    setError(undefined)
    return send()
      .then(() => refetch())
      .catch(setError)
  }
  return (
    <section aria-labelledby="item-links" class="stack tight">
      <h3 class="label" id="item-links">
        {texts.links}
      </h3>
      {error !== undefined && <Failure title={texts.linkFailed} error={error} />}
      <ul class="stack tight sm">
        {links.map(({ id, type, direction, item }) => (
          <li key={id} class="row">
            <span class="tag">{direction === 'to' ? texts.linkTypes[type] : texts.linkTypesBack[type]}</span>
            <a class="quiet truncate grow" href={BASE + pathOfItem(item.product, { key: item.externalKey })}>
              {item.externalKey} {item.summary}
            </a>
            {may && (
              <button
                class="btn ghost icon small"
                type="button"
                aria-label={texts.removeLink(item.externalKey)}
                onClick={() => void run(() => sendLinkRemoval(place, id))}
              >
                <Icon name="x" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {may && <NewLink onAdd={(type, to) => run(() => sendLink(place, type, to))} />}
      {!may && !links.length && <p class="sm muted">{texts.noLinks}</p>}
    </section>
  )
}

const NewLink = ({ onAdd }: { onAdd: (type: Link['type'], to: string) => void }) => (
  <form
    class="row"
    onSubmit={(event) => {
      event.preventDefault()
      const form = event.currentTarget
      const given = new FormData(form)
      onAdd(String(given.get('type')) as Link['type'], String(given.get('to')).trim().toUpperCase())
      form.reset()
    }}
  >
    <select class="select small fit" name="type" aria-label={texts.linkType}>
      {TYPES.map((type) => (
        <option key={type} value={type}>
          {texts.linkTypes[type]}
        </option>
      ))}
    </select>
    <input class="input small grow" name="to" required maxLength={30} aria-label={texts.linkTo} placeholder="US-1" />
    <button class="btn ghost icon small" type="submit" aria-label={texts.addLink}>
      <Icon name="plus" />
    </button>
  </form>
)
