// The words of all pages, for the search in the browser.
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { findWords, type SearchIndex } from './browser/find.ts'
import { renderFields } from './fields.ts'
import type { Page } from './html.ts'
import type { Reference } from './reference.ts'

/** A word says more in a short title. */
const weighTitle = (title: string) => 10 + Math.round(10 / title.split(/[ _.]/).length)

const WEIGHTS = { title: 12, name: 8, lead: 4, section: 3, text: 1 }

interface Entry {
  href: string
  title: string
  /** Second line of a result. */
  note: string
  texts: Partial<Record<keyof typeof WEIGHTS, string>>
}

type PageNode = DefaultTreeAdapterTypes.ChildNode

const readAttribute = (node: PageNode, name: string): string =>
  ('attrs' in node ? node.attrs.find((one) => one.name === name)?.value : undefined) ?? ''

/** The words of a page, without code and the form that tries an operation. */
function readWords(nodes: readonly PageNode[]): string {
  return nodes
    .map((node) => {
      if ('value' in node) return node.value
      if (!('childNodes' in node) || node.tagName === 'pre' || readAttribute(node, 'id') === 'try') return ' '
      return ` ${readWords(node.childNodes)} `
    })
    .join('')
}

const readHtml = (html: string): readonly PageNode[] => parseFragment(html).childNodes
const toText = (html: string): string => readWords(readHtml(html))

function listOperationEntries(
  { operations, resources, schemas }: Reference,
  pages: ReadonlyMap<string, Page>,
): Entry[] {
  return operations.map((op) => {
    const resource = resources.find(({ tag }) => tag === op.tag)
    const input = op.body ? toText(renderFields(op.body.schema, { schemas })) : ''
    const names = op.parameters.map(({ name }) => name).join(' ')
    return {
      href: op.href,
      title: op.summary,
      note: `${op.method} ${op.path}`,
      texts: {
        title: op.summary,
        name: `${op.id} ${op.tag}`,
        lead: `${op.description} ${resource?.description} ${op.path} ${names} ${input}`,
        text: toText(pages.get(op.href.slice('/docs/'.length))?.body ?? ''),
      },
    }
  })
}

/** A page of a guide has an entry for each section. */
function listSectionEntries(name: string, { title, description = '', body }: Page): Entry[] {
  const [intro = [], ...sections] = splitSections(readHtml(body))
  const first = {
    href: `/docs/${name}`,
    title,
    note: 'Guide',
    texts: { title, name: description, section: readWords(intro) },
  }
  return [
    first,
    ...sections.map((section) => {
      const [heading] = section
      const text = heading ? readWords([heading]).replace(/\s+/g, ' ').trim() : ''
      return {
        ...{ href: `/docs/${name}#${heading ? readAttribute(heading, 'id') : ''}`, title: text, note: title },
        texts: { title: text, name: title, section: readWords(section) },
      }
    }),
  ]
}

const SECTION_HEADINGS = ['h2', 'h3']

/** The nodes before the first heading, and the nodes of each section, which begin with its heading. */
function splitSections(nodes: readonly PageNode[]): PageNode[][] {
  const sections: PageNode[][] = [[]]
  for (const node of nodes) {
    if (SECTION_HEADINGS.includes(node.nodeName)) sections.push([])
    sections.at(-1)?.push(node)
  }
  return sections
}

const listEventEntries = ({ resources }: Reference): Entry[] =>
  resources.flatMap(({ tag, href, events }) =>
    events.map(({ type }) => ({
      href: `${href}#${type}`,
      title: type,
      note: 'Event',
      texts: { title: type, name: tag },
    })),
  )

function listEntries(reference: Reference, pages: ReadonlyMap<string, Page>): Entry[] {
  const others = [...pages].flatMap(([name, page]): Entry[] => {
    const { title, body } = page
    if (page.section === 'guides' && name !== 'guides') return listSectionEntries(name, page)
    const isResource = /^reference\/[^/]+$/.test(name)
    if (!isResource && !name.startsWith('errors/')) return []
    const note = isResource ? 'Resource' : 'Error'
    return [{ href: `/docs/${name}`, title, note, texts: { title, text: toText(body) } }]
  })
  return [...listOperationEntries(reference, pages), ...others, ...listEventEntries(reference)]
}

export function makeSearchIndex(reference: Reference, pages: ReadonlyMap<string, Page>): SearchIndex {
  const entries = listEntries(reference, pages)
  const words: SearchIndex['words'] = {}
  for (const [n, { title, texts }] of entries.entries()) {
    const weights = new Map<string, number>()
    for (const [kind, weight] of Object.entries({ ...WEIGHTS, title: weighTitle(title) })) {
      for (const word of new Set(findWords(texts[kind as keyof typeof WEIGHTS] ?? '')))
        weights.set(word, Math.max(weights.get(word) ?? 0, weight))
    }
    for (const [word, weight] of weights) {
      words[word] ??= []
      words[word].push(n, weight)
    }
  }
  return { entries: entries.map(({ href, title, note }) => [href, title, note]), words }
}
