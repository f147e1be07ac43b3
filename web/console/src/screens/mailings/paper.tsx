import { useEffect, useRef } from 'preact/hooks'
import { listElements, readWrittenHtml, writeHtml } from '../../../../../src/text/html/tree'
import type { Message } from './requests'
import { texts } from './texts/texts'

/** The HTML and the plain text of a message. Its links lead nowhere. */
export const Paper = ({ message: { from, subject, html, text } }: { message: Message }) => (
  <>
    <article class="mail-paper">
      <p class="mail-head">
        <strong>{subject}</strong>
        <br />
        {texts.from(from)}
      </p>
      <MessageBody html={html} />
    </article>
    <details>
      <summary class="sm">{texts.plainText}</summary>
      <pre class="mail-text">{text}</pre>
    </details>
  </>
)

/** The service has sanitized the HTML. The policy of the page takes no style attributes, so scripts set the styles. */
function MessageBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.replaceChildren(parseMessage(html)), [html])
  return <div ref={body} />
}

/** The browser reports style attributes as soon as it parses them, so they get another name before. */
function renameStyles(html: string): string {
  const tree = readWrittenHtml(html)
  if (!tree) return html
  for (const { attributes } of listElements(tree)) {
    const style = attributes.get('style')
    attributes.delete('data-style')
    if (style !== undefined && attributes.delete('style')) attributes.set('data-style', style)
  }
  return writeHtml(tree)
}

function parseMessage(html: string): DocumentFragment {
  const holder = document.createElement('template')
  holder.innerHTML = renameStyles(html)
  for (const element of holder.content.querySelectorAll<HTMLElement>('*')) {
    for (const name of ['class', 'id', 'style']) element.removeAttribute(name)
    if (element.dataset.style) element.style.cssText = element.dataset.style
    delete element.dataset.style
  }
  for (const link of holder.content.querySelectorAll('a')) {
    link.title = link.getAttribute('href') ?? ''
    link.removeAttribute('href')
  }
  for (const style of holder.content.querySelectorAll('style')) style.remove()
  for (const picture of holder.content.querySelectorAll('img')) replacePicture(picture)
  return holder.content
}

/** The policy of the page allows pictures of this service alone. */
function replacePicture(picture: HTMLImageElement): void {
  if (new URL(picture.getAttribute('src') ?? '', location.href).origin === location.origin) return
  const note = document.createElement('em')
  note.textContent = texts.picture(picture.alt)
  picture.replaceWith(note)
}
