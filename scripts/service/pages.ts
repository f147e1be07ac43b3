import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Marked } from 'marked'

const docsFolder = path.resolve(import.meta.dirname, '../../docs')

/** Pages of docs/ for people who call the API. The other pages address operators and engineers. */
const PAGES = [
  {
    name: 'api-conventions',
    title: 'API conventions',
    about: 'envelope, errors, lists, permissions, each resource, webhooks',
  },
  { name: 'importing', title: 'Importing', about: 'files of other products, and how to get them' },
  { name: 'exports', title: 'Exports', about: 'a whole workspace as a ZIP file, backups and the restore' },
] as const

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 52rem; padding: 1rem 1.25rem 4rem; }
  nav { border-bottom: 1px solid GrayText; padding-bottom: .75rem; }
  nav a { margin-right: 1.25rem; }
  a { color: LinkText; }
  pre { border: 1px solid GrayText; overflow-x: auto; padding: .75rem; }
  code { font-size: .9em; overflow-wrap: anywhere; }
  pre code { overflow-wrap: normal; }
  table { border-collapse: collapse; display: block; overflow-x: auto; }
  th, td { border: 1px solid GrayText; padding: .3rem .6rem; text-align: left; vertical-align: top; }
`

const LINKS = [
  { href: '/docs', text: 'Reference' },
  { href: '/docs/guides', text: 'Guides' },
  ...PAGES.map(({ name, title }) => ({ href: `/docs/${name}`, text: title })),
]

const wrapPage = (title: string, body: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
    <title>${title} · Groundwork API</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <nav>${LINKS.map(({ href, text }) => `<a href="${href}">${text}</a>`).join('')}</nav>
${body}  </body>
</html>
`

/** The anchor that GitHub gives to a heading, because the links of the pages use these anchors. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const PAGE_LINK_PATTERN = /^([\w-]+)\.md(#.*)?$/

function renderMarkdown(text: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const [isPage, name, anchor = ''] = PAGE_LINK_PATTERN.exec(href) ?? []
        if (!isPage) return `<a href="${href}">${text}</a>`
        return PAGES.some((page) => page.name === name) ? `<a href="/docs/${name}${anchor}">${text}</a>` : text
      },
    },
  })
  return marked.parse(text, { async: false })
}

/** Pages as HTML, by the name of the file without its ending. */
export function renderPages(): Map<string, string> {
  const rows = PAGES.map(({ name, title, about }) => `<li><a href="/docs/${name}">${title}</a>: ${about}</li>`)
  const guides = `<h1>Guides</h1>\n<p>The <a href="/docs">reference</a> lists every operation.</p>\n<ul>${rows.join('\n')}</ul>\n`
  return new Map([
    ['guides', wrapPage('Guides', guides)],
    ...PAGES.map(({ name, title }): [string, string] => {
      const text = readFileSync(path.join(docsFolder, `${name}.md`), 'utf8')
      return [name, wrapPage(title, renderMarkdown(text))]
    }),
  ])
}
