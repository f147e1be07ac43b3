// <script src="https://groundwork.example.com/widget.js" data-portal="acme" async></script> on a page of another site.
import { readWidgetData, type WidgetEntry, type WidgetIdea } from './widget-data.ts'
import { createElement, createLink } from './widget-elements.ts'
import { countUnread, markSeen } from './widget-read.ts'
import { createWidgetStyle } from './widget-style.ts'

const TEXTS = {
  en: {
    open: 'Feedback',
    ideas: 'Ideas',
    changelog: 'Changelog',
    unread: 'unread',
    close: 'Close',
    more: 'Open the portal',
    votes: 'votes',
    none: 'No ideas yet.',
  },
  de: {
    open: 'Feedback',
    ideas: 'Ideen',
    changelog: 'Neuigkeiten',
    unread: 'ungelesen',
    close: 'Schließen',
    more: 'Zum Portal',
    votes: 'Stimmen',
    none: 'Noch keine Ideen.',
  },
}

const script = document.currentScript as HTMLScriptElement | null

async function showWidget({ src, dataset }: HTMLScriptElement): Promise<void> {
  const slug = dataset.portal
  if (!slug) return
  const { origin } = new URL(src)
  const { portal, ideas, entries } = await readWidgetData(origin, slug)
  const language = (dataset.lang ?? document.documentElement.lang ?? '').startsWith('de') ? 'de' : 'en'
  const texts = TEXTS[language]
  const base = `${origin}/p/${encodeURIComponent(slug)}/${language}`
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

  const ideaRow = ({ key, title, votes }: WidgetIdea) => {
    const count = createElement('b', { 'aria-label': `${votes} ${texts.votes}`, role: 'img' }, String(votes))
    return createElement('li', {}, createLink(`${base}/ideas/${encodeURIComponent(key)}`, count, title))
  }
  const entryRow = ({ key, title, publishedAt }: WidgetEntry) => {
    const time = createElement('small', {}, date.format(new Date(publishedAt)))
    const words = createElement('span', {}, title, time)
    return createElement('li', {}, createLink(`${base}/changelog/${encodeURIComponent(key)}`, words))
  }
  const lists = {
    ideas: ideas.length ? createElement('ul', {}, ...ideas.map(ideaRow)) : createElement('p', {}, texts.none),
    changelog: createElement('ul', {}, ...entries.map(entryRow)),
  }
  let unread = countUnread(slug, entries)
  const badge = createElement('i', {})
  const tabs = {
    ideas: createElement('button', { type: 'button' }, texts.ideas),
    changelog: createElement('button', { type: 'button' }, texts.changelog),
  }
  const close = createElement('button', { type: 'button' }, texts.close)
  const panel = createElement(
    'section',
    { class: 'panel', id: 'panel', role: 'dialog', 'aria-label': portal.name },
    createElement('header', {}, tabs.ideas, ...(entries.length ? [tabs.changelog] : []), close),
    lists.ideas,
    lists.changelog,
    createElement('footer', {}, createLink(base, texts.more)),
  )
  const open = createElement(
    'button',
    { class: 'open', type: 'button', 'aria-expanded': 'false', 'aria-controls': 'panel' },
    dataset.label ?? texts.open,
    badge,
  )

  const showUnread = () => {
    badge.textContent = unread ? String(unread) : ''
    badge.hidden = !unread
    tabs.changelog.textContent = unread ? `${texts.changelog} (${unread} ${texts.unread})` : texts.changelog
  }
  const choose = (chosen: keyof typeof tabs) => {
    for (const name of ['ideas', 'changelog'] as const) {
      lists[name].hidden = name !== chosen
      tabs[name].setAttribute('aria-pressed', String(name === chosen))
    }
    if (chosen !== 'changelog') return
    markSeen(slug, entries)
    unread = 0
    showUnread()
  }
  const toggle = (isOpen: boolean) => {
    panel.hidden = !isOpen
    open.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) close.focus()
    else open.focus()
  }
  open.addEventListener('click', () => toggle(open.getAttribute('aria-expanded') !== 'true'))
  close.addEventListener('click', () => toggle(false))
  tabs.ideas.addEventListener('click', () => choose('ideas'))
  tabs.changelog.addEventListener('click', () => choose('changelog'))
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') toggle(false)
  })
  panel.hidden = true
  showUnread()
  choose('ideas')

  const host = createElement('div', { 'data-groundwork-widget': slug })
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [createWidgetStyle(/^#[\da-f]{6}$/.test(portal.accent) ? portal.accent : '#0b6e5f')]
  root.append(panel, open)
  document.body.append(host)
}

// A page without the widget is better than a page with an error.
if (script) showWidget(script).catch(() => undefined)
