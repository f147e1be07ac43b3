import { raw } from 'hono/html'

const HEADING_PATTERN = /<(\/?)h([1-6])\b/g
const IMAGE_PATTERN = /<img\b[^>]*>/g
const attributeOf = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

/** Headings continue below `level`, without gaps. */
function shiftHeadings(html: string, level: number): string {
  const levels = [...new Set(Array.from(html.matchAll(HEADING_PATTERN), ([, , found = '1']) => found))].sort()
  return html.replace(
    HEADING_PATTERN,
    (_, slash: string, found: string) => `<${slash}h${Math.min(6, level + levels.indexOf(found))}`,
  )
}

/** The page loads nothing from other sites, so a picture there becomes a link. */
function linkForeignImages(html: string, origin: string): string {
  return html.replace(IMAGE_PATTERN, (tag) => {
    const source = attributeOf(tag, 'src')
    if (!source) return ''
    if (source.startsWith(`${origin}/`) || /^\/(?![/\\])/.test(source))
      return attributeOf(tag, 'alt') === undefined ? tag.replace('<img', '<img alt=""') : tag
    return `<a href="${source}" rel="nofollow noopener">${attributeOf(tag, 'alt') || source}</a>`
  })
}

/** HTML that was sanitized when it was stored. `level` is the level of its first headings. */
export function Prose({ html, origin, level = 2 }: { html: string; origin: string; level?: number }) {
  return <div class="prose">{raw(linkForeignImages(shiftHeadings(html, level), origin))}</div>
}
