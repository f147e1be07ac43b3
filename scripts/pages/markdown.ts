// Pages of docs/ for people who call the API. The other pages address operators and engineers.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { root } from '../wrangler.ts'
import { escapeHtml, type Page, renderCode, toAnchor } from './html.ts'

interface Guide {
  /** Path below docs/ without the ending, and path of the page below /docs/. */
  name: string
  title: string
  about: string
}

export const GUIDES: readonly Guide[] = [
  {
    name: 'guides/getting-started',
    title: 'Getting started',
    about: 'the first calls, with curl, TypeScript and Python',
  },
  { name: 'guides/authentication', title: 'Authentication and scopes', about: 'keys for programs, with few rights' },
  {
    name: 'guides/pagination-and-mirroring',
    title: 'Pagination and mirroring',
    about: 'read everything, then follow the changes',
  },
  { name: 'guides/errors-and-retries', title: 'Errors and retries', about: 'what to repeat, and what not' },
  { name: 'guides/idempotency', title: 'Idempotency', about: 'repeat a write without doing it twice' },
  { name: 'guides/webhooks', title: 'Webhooks', about: 'receive events, and verify them in four languages' },
  { name: 'guides/imports', title: 'Imports', about: 'files of other products, step by step' },
  { name: 'guides/assistants', title: 'Assistants', about: 'tools for language models, over MCP' },
  { name: 'guides/segments-and-mail', title: 'Segments and mail', about: 'groups of people, and mail to them' },
  { name: 'guides/portal', title: 'Portal', about: 'show ideas to your customers, also on your own pages' },
  { name: 'guides/kpis', title: 'KPIs', about: 'record values, and chart them with their trend' },
  { name: 'guides/limits', title: 'Limits', about: 'requests, quotas and sizes' },
  {
    name: 'api-conventions',
    title: 'API conventions',
    about: 'the full text: envelope, errors, lists, permissions, each resource, events',
  },
  { name: 'importing', title: 'Importing from other products', about: 'columns and values of each product' },
  {
    name: 'exports',
    title: 'Exports of a workspace',
    about: 'a whole workspace as a ZIP file, backups and the restore',
  },
  { name: 'versions', title: 'Versions of the API', about: 'what can change, and what is announced before' },
]

const folder = path.join(root, 'docs')

export const readGuide = (name: string) => readFileSync(path.join(folder, `${name}.md`), 'utf8')

const PAGE_LINK_PATTERN = /^([\w./-]+)\.md(#.*)?$/

/** Address of a page of docs/, or undefined for a page that is not published. */
function findAddress(href: string, from: string): string | undefined {
  const [isPage, target = '', anchor = ''] = PAGE_LINK_PATTERN.exec(href) ?? []
  if (!isPage) return /^(https?:|#|\/)/.test(href) ? href : undefined
  const name = path.posix.join(path.posix.dirname(from), target)
  if (name === 'errors') return anchor ? `/docs/errors/${anchor.slice(1)}` : '/docs/errors'
  return GUIDES.some((guide) => guide.name === name) ? `/docs/${name}${anchor}` : undefined
}

const LANGUAGES: Record<string, string> = {
  sh: 'Commands',
  json: 'JSON',
  ts: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
  php: 'PHP',
}

function createMarked(from: string): Marked {
  let [blocks, tables] = [0, 0]
  return new Marked({
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${toAnchor(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = findAddress(href, from)
        return address ? `<a href="${escapeHtml(address)}">${inner}</a>` : inner
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        blocks++
        const [language = ''] = lang.split(' ')
        return renderCode(code, `${LANGUAGES[language] ?? 'Code'}, block ${blocks}`)
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`
        const rows = token.rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n<thead>${row(token.header, 'th')}</thead>\n<tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
}

/** `from` is the name of the page, because links of docs/ are relative. */
export const renderMarkdown = (text: string, from: string): string => createMarked(from).parse(text, { async: false })

/** One paragraph without its element. */
export const renderLine = (text: string, from: string): string => createMarked(from).parseInline(text, { async: false })

const renderSide = (present?: Guide) =>
  `<ul>${GUIDES.map((guide) => `<li><a href="/docs/${guide.name}"${guide === present ? ' aria-current="page"' : ''}>${guide.title}</a></li>`).join('\n')}</ul>\n`

export const makeGuidePage = (guide: Guide): Page => ({
  title: guide.title,
  section: 'guides',
  trail: [{ href: '/docs/guides', text: 'Guides' }],
  side: renderSide(guide),
  description: guide.about,
  body: renderMarkdown(readGuide(guide.name), guide.name),
})

export function makeGuidesPage(): Page {
  const rows = GUIDES.map(({ name, title, about }) => `<li><a href="/docs/${name}">${title}</a>: ${about}</li>`)
  const body = `<h1>Guides</h1>\n<p>The <a href="/docs">reference</a> lists every operation, and the pages of <a href="/docs/errors">errors</a> say what to do after each code.</p>\n<ul>${rows.join('\n')}</ul>\n`
  return { title: 'Guides', section: 'guides', side: renderSide(), body }
}
