import { useState } from 'preact/hooks'
import type { Conflict } from '../../api/change'
import type { Me } from '../../api/me'
import { Icon } from '../../parts/icon'
import { texts as shellTexts } from '../../texts/texts'
import { ItemConflict } from './notices'
import type { ItemPlace, WorkItem } from './requests'
import { texts } from './texts/texts'

interface DescriptionProps {
  me: Me
  place: ItemPlace
  item: WorkItem
  may: boolean
  save: (change: Partial<WorkItem>, base?: WorkItem) => void
}

/** The description as HTML, with a preview beside the text. */
export function Description({ me, place, item, may, save }: DescriptionProps) {
  const [base, setBase] = useState<WorkItem>()
  const [text, setText] = useState('')
  const edit = () => {
    setText(item.description)
    setBase(item)
  }
  const accept = (kept: string) => {
    setText(kept)
    setBase(item)
  }
  const isOvertaken = base && item.description !== base.description && item.description !== text
  const conflict: Conflict<WorkItem> = {
    ...{ fields: ['description'], mine: { description: text }, theirs: item },
    keepMine: () => accept(text),
    takeTheirs: () => accept(item.description),
  }
  if (base)
    return (
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault()
          if (text !== base.description) save({ description: text }, base)
          setBase(undefined)
        }}
      >
        {isOvertaken && <ItemConflict {...{ me, place, conflict }} />}
        <div class="field">
          <label for="description">{texts.description}</label>
          <textarea
            class="textarea code"
            id="description"
            rows={10}
            value={text}
            aria-describedby="description-hint"
            autofocus
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <p class="hint" id="description-hint">
            {texts.descriptionHint}
          </p>
        </div>
        <section class="card pad" aria-label={texts.preview}>
          <Preview html={text} />
        </section>
        <div class="row">
          <button class="btn primary small" type="submit">
            {texts.saveDescription}
          </button>
          <button class="btn ghost small" type="button" onClick={() => setBase(undefined)}>
            {shellTexts.cancel}
          </button>
        </div>
      </form>
    )
  return (
    <section class="stack tight" aria-label={texts.description}>
      {item.description ? (
        // The service has sanitized the HTML, and the policy of the page allows no script beside the files of the console.
        <div class="prose md" dangerouslySetInnerHTML={{ __html: item.description }} />
      ) : (
        <p class="muted">{texts.noDescription}</p>
      )}
      {may && (
        <button class="btn ghost small fit" type="button" onClick={edit}>
          <Icon name="pencil" />
          {texts.editDescription}
        </button>
      )}
    </section>
  )
}

const SHOWN = new Set([
  'P',
  'BR',
  'UL',
  'OL',
  'LI',
  'H2',
  'H3',
  'H4',
  'STRONG',
  'B',
  'EM',
  'I',
  'U',
  'S',
  'CODE',
  'PRE',
  'BLOCKQUOTE',
])

/** Keeps known elements without their attributes, and the text of all others. */
function keepKnown(from: Node): string {
  if (from.nodeType === Node.TEXT_NODE) {
    const holder = document.createElement('p')
    holder.textContent = from.textContent
    return holder.innerHTML
  }
  const inner = [...from.childNodes].map(keepKnown).join('')
  if (!(from instanceof Element) || ['SCRIPT', 'STYLE'].includes(from.tagName))
    return from instanceof Element ? '' : inner
  const name = from.tagName.toLowerCase()
  if (!SHOWN.has(from.tagName)) return inner
  return name === 'br' ? '<br>' : `<${name}>${inner}</${name}>`
}

const Preview = ({ html }: { html: string }) => (
  <div
    class="prose md"
    dangerouslySetInnerHTML={{ __html: keepKnown(new DOMParser().parseFromString(html, 'text/html').body) }}
  />
)
