// <script src="https://groundwork.example.com/widget.js" data-portal="acme" async></script> on a page of another site.
import { readWidgetData, type WidgetIdea } from './widget-data.ts'
import { createWidgetStyle } from './widget-style.ts'

const TEXTS = {
  en: {
    open: 'Feedback',
    ideas: 'Ideas',
    close: 'Close',
    more: 'Open the portal',
    votes: 'votes',
    none: 'No ideas yet.',
  },
  de: {
    open: 'Feedback',
    ideas: 'Ideen',
    close: 'Schließen',
    more: 'Zum Portal',
    votes: 'Stimmen',
    none: 'Noch keine Ideen.',
  },
}

const script = document.currentScript as HTMLScriptElement | null

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

function createLink(address: string, ...children: (Node | string)[]): HTMLAnchorElement {
  return element('a', { href: address, target: '_blank', rel: 'noopener' }, ...children)
}

async function showWidget({ src, dataset }: HTMLScriptElement): Promise<void> {
  const slug = dataset.portal
  if (!slug) return
  const { origin } = new URL(src)
  const { portal, ideas } = await readWidgetData(origin, slug)
  const language = (dataset.lang ?? document.documentElement.lang ?? '').startsWith('de') ? 'de' : 'en'
  const texts = TEXTS[language]
  const base = `${origin}/p/${encodeURIComponent(slug)}/${language}`

  const ideaRow = ({ key, title, votes }: WidgetIdea) =>
    element(
      'li',
      {},
      createLink(
        `${base}/ideas/${encodeURIComponent(key)}`,
        element('b', { 'aria-label': `${votes} ${texts.votes}` }, String(votes)),
        title,
      ),
    )
  const list = ideas.length ? element('ul', {}, ...ideas.map(ideaRow)) : element('p', {}, texts.none)
  const close = element('button', { type: 'button' }, texts.close)
  const panel = element(
    'section',
    { class: 'panel', id: 'panel', role: 'dialog', 'aria-label': portal.name },
    element('header', {}, element('h2', {}, `${portal.name}: ${texts.ideas}`), close),
    list,
    element('footer', {}, createLink(base, texts.more)),
  )
  panel.hidden = true
  const open = element(
    'button',
    { class: 'open', type: 'button', 'aria-expanded': 'false', 'aria-controls': 'panel' },
    dataset.label ?? texts.open,
  )

  const toggle = (isOpen: boolean) => {
    panel.hidden = !isOpen
    open.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) close.focus()
    else open.focus()
  }
  open.addEventListener('click', () => toggle(open.getAttribute('aria-expanded') !== 'true'))
  close.addEventListener('click', () => toggle(false))
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') toggle(false)
  })

  const host = element('div', { 'data-groundwork-widget': slug })
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createWidgetStyle(/^#[\da-f]{6}$/.test(portal.accent) ? portal.accent : '#0b6e5f')]
  root.append(panel, open)
  document.body.append(host)
}

// A page without the widget is better than a page with an error.
if (script) showWidget(script).catch(() => undefined)
