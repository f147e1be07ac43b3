/** Elements that go with their content, also in what the service stores. */
const DROPPED =
  'script, style, title, iframe, object, embed, noscript, template, svg, math, textarea, select, link, meta'

const LINK_PROTOCOLS = ['http:', 'https:', 'mailto:']
const SOURCE_PROTOCOLS = ['http:', 'https:']
/** The prefix that the service gives to the names of a text, so that a text cannot hide a part of the page. */
const NAME_PREFIX = 'user-'

const hasProtocol = (address: string, protocols: readonly string[]): boolean =>
  URL.canParse(address, location.href) && protocols.includes(new URL(address, location.href).protocol)

/** The policy of the page allows no styles and no handlers in a text. */
function isKept({ name, value }: Attr): boolean {
  if (name === 'style' || name.startsWith('on')) return false
  if (name === 'id' || name === 'name') return value.startsWith(NAME_PREFIX)
  if (name === 'href') return hasProtocol(value, LINK_PROTOCOLS)
  return name !== 'src' || hasProtocol(value, SOURCE_PROTOCOLS)
}

const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi
const ATTRIBUTE = /\s([^\s=>"']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s'">]+))?/g
const REPORTED_NAME = /^(?:style|on)/i
/** The browser reports styles and handlers as soon as it parses them. */
const withoutStyles = (tag: string): string =>
  tag.replace(ATTRIBUTE, (attribute, name: string) => (REPORTED_NAME.test(name) ? '' : attribute))

/** Makes a text ready to be shown while it is edited. The service sanitizes it again when it is stored. */
export function toSafeFragment(html: string): DocumentFragment {
  const { body } = new DOMParser().parseFromString(html.replace(TAG, withoutStyles), 'text/html')
  for (const element of body.querySelectorAll(DROPPED)) element.remove()
  for (const element of body.querySelectorAll('*'))
    for (const attribute of [...element.attributes]) if (!isKept(attribute)) element.removeAttributeNode(attribute)
  const fragment = document.createDocumentFragment()
  fragment.append(...body.childNodes)
  return fragment
}

/** A link that a person typed: a bare name becomes an address of the web. */
export function toLink(typed: string): string | undefined {
  const text = typed.trim()
  if (!text) return undefined
  const href = /^(?:[a-z]+:|\/)/i.test(text) ? text : `https://${text}`
  return hasProtocol(href, LINK_PROTOCOLS) ? href : undefined
}

const STORED_NAMES: Readonly<Record<string, string>> = { B: 'strong', I: 'em' }

function renameElements(body: HTMLElement): void {
  for (const element of body.querySelectorAll('b, i')) {
    const renamed = document.createElement(STORED_NAMES[element.tagName] ?? 'span')
    renamed.append(...element.childNodes)
    element.replaceWith(renamed)
  }
}

/** Without the marks of the cursor, and with plain spaces between words. */
function cleanTexts(body: HTMLElement): void {
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    text.data = text.data.replaceAll('\u200B', '').replace(/(?<=[^\s\u00A0])\u00A0(?=[^\s\u00A0]|$)/g, ' ')
  }
}

const isEmptyLine = (node: ChildNode | null): node is HTMLElement =>
  node instanceof HTMLElement && ['P', 'DIV'].includes(node.tagName) && node.innerHTML === '<br>'

/** The names of the service for bold and italic texts, without the marks of the cursor and the lines that hold it. */
export function toStoredHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  cleanTexts(body)
  renameElements(body)
  while (isEmptyLine(body.lastChild)) body.lastChild.remove()
  return body.innerHTML
}
