interface HtmlFieldProps {
  id: string
  label: string
  hint: string
  /** Name of the preview. */
  preview: string
  value: string
  rows?: number
  autofocus?: boolean
  onInput: (html: string) => void
}

/** A text as HTML, with a preview below. */
export const HtmlField = ({ id, label, hint, preview, value, rows = 10, autofocus, onInput }: HtmlFieldProps) => (
  <>
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        class="textarea code"
        id={id}
        rows={rows}
        value={value}
        aria-describedby={`${id}-hint`}
        autofocus={autofocus}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
    <section class="card pad" aria-label={preview}>
      <Preview html={value} />
    </section>
  </>
)

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

/** What the typed HTML would show. The service decides what it keeps. */
const Preview = ({ html }: { html: string }) => (
  <div
    class="prose md"
    dangerouslySetInnerHTML={{ __html: keepKnown(new DOMParser().parseFromString(html, 'text/html').body) }}
  />
)
