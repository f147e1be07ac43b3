import { type Found, findEntries, type SearchIndex } from './find.ts'

const SHOWN = 12
const SHOWN_ON_PAGE = 60

let index: Promise<SearchIndex> | undefined
const loadIndex = () => {
  index ??= fetch('/docs/search.json').then((response) => response.json() as Promise<SearchIndex>)
  return index
}

function makeLink({ href, title, note }: Found): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = href
  const name = document.createElement('span')
  name.textContent = title
  const small = document.createElement('small')
  small.textContent = note
  link.append(name, small)
  return link
}

const countText = (count: number) => (count === 1 ? '1 page' : `${count} pages`)

export function showSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search-words')
  const found = document.querySelector<HTMLElement>('#found')
  const count = document.querySelector<HTMLElement>('#found-count')
  if (!input || !found || !count) return
  const links = () => [...found.querySelectorAll('a')]

  async function showFound(): Promise<void> {
    const query = input?.value.trim() ?? ''
    const results = query ? findEntries(await loadIndex(), query, SHOWN) : []
    // The reader has typed on meanwhile.
    if (!found || !count || query !== input?.value.trim()) return
    found.replaceChildren(...results.map(makeLink))
    found.hidden = results.length === 0
    count.textContent = query ? (results.length ? countText(results.length) : 'Nothing found') : ''
  }

  input.addEventListener('focus', loadIndex, { once: true })
  input.addEventListener('input', showFound)
  input.form?.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      found.hidden = true
      input.focus()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || found.hidden) return
    event.preventDefault()
    const all: HTMLElement[] = [input, ...links()]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  })
  input.form?.addEventListener('focusout', ({ relatedTarget }) => {
    if (!input.form?.contains(relatedTarget as Node | null)) found.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as HTMLElement).matches('input, textarea, select')
    const isShortcut = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))
    if (!isShortcut) return
    event.preventDefault()
    input.focus()
  })
  void showResults(input)
}

/** The search of the address, on the page of all operations. */
async function showResults(input: HTMLInputElement): Promise<void> {
  const section = document.querySelector<HTMLElement>('#results')
  const query = new URLSearchParams(location.search).get('q')?.trim()
  if (!section || !query) return
  input.value = query
  const results = findEntries(await loadIndex(), query, SHOWN_ON_PAGE)
  const title = section.querySelector('h2')
  if (title)
    title.textContent = results.length ? `${countText(results.length)} for “${query}”` : `Nothing found for “${query}”`
  section.querySelector('ol')?.replaceChildren(
    ...results.map((result) => {
      const item = document.createElement('li')
      item.append(makeLink(result))
      return item
    }),
  )
  section.hidden = false
}
