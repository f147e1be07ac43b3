import { useMemo } from 'preact/hooks'

/** Headings continue below `level`, without gaps. The page loads nothing from other sites, so a picture there becomes a link. */
function prepareHtml(html: string, level: number): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const headings = [...body.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  const levels = [...new Set(headings.map(({ tagName }) => tagName))].sort()
  for (const heading of headings) {
    const shifted = document.createElement(`h${Math.min(6, level + levels.indexOf(heading.tagName))}`)
    shifted.append(...heading.childNodes)
    heading.replaceWith(shifted)
  }
  for (const image of body.querySelectorAll('img')) {
    image.alt = image.getAttribute('alt') ?? ''
    const source = image.getAttribute('src') ?? ''
    if (URL.parse(source, location.origin)?.origin === location.origin) continue
    if (image.closest('a')) {
      image.replaceWith(image.alt || source)
      continue
    }
    const link = document.createElement('a')
    Object.assign(link, { href: source, rel: 'nofollow noopener', target: '_blank', textContent: image.alt || source })
    image.replaceWith(link)
  }
  return body.innerHTML
}

/** HTML that was sanitized when it was stored. `level` is the level of its first headings. */
export function Prose({ html, level = 3 }: { html: string; level?: number }) {
  const prepared = useMemo(() => prepareHtml(html, level), [html, level])
  return <div class="prose md" dangerouslySetInnerHTML={{ __html: prepared }} />
}
