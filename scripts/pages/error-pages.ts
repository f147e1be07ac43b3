// A page per error code, from docs/errors.md and the examples of openapi.json.
import { escapeHtml, type Page, renderCode, toAnchor } from './html.ts'
import { readGuide, renderLine, renderMarkdown } from './markdown.ts'
import type { Operation, Reference } from './reference.ts'

/** A longer list of operations says less than "most operations". */
const MAX_LISTED = 60

/** Codes of paths without an operation. */
const CODES_OF_PATHS: Record<string, string> = { route_not_found: '404' }

/** Sections of docs/errors.md by code, without their headings. */
export function readErrorTexts(): Map<string, string> {
  const [, ...sections] = readGuide('errors').split(/^## /m)
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n')
      return [section.slice(0, end).trim(), section.slice(end + 1).trim()]
    }),
  )
}

export interface ErrorDescription {
  code: string
  status: string
  text: string
  operations: Operation[]
}

export function listErrors({ operations }: Reference): ErrorDescription[] {
  const texts = readErrorTexts()
  const found = new Map<string, { status: string; operations: Operation[] }>()
  for (const [code, status] of Object.entries(CODES_OF_PATHS)) found.set(code, { status, operations: [] })
  for (const op of operations) {
    for (const { status, codes } of op.failures) {
      for (const code of codes) {
        const one = found.get(code) ?? { status, operations: [] }
        one.operations.push(op)
        found.set(code, one)
      }
    }
  }
  return [...found]
    .map(([code, { status, operations: ops }]) => {
      const text = texts.get(code) ?? (code.endsWith('_not_found') ? texts.get('not_found') : undefined)
      if (!text) throw new Error(`docs/errors.md has no section ${code}.`)
      return { code, status, text, operations: ops }
    })
    .toSorted((one, other) => one.status.localeCompare(other.status) || one.code.localeCompare(other.code))
}

const renderSide = (errors: readonly ErrorDescription[], present?: string) =>
  `<ul>${errors.map(({ code }) => `<li><a href="/docs/errors/${code}"${code === present ? ' aria-current="page"' : ''}>${code}</a></li>`).join('\n')}</ul>\n`

function renderOperations(operations: readonly Operation[]): string {
  if (!operations.length) return ''
  const title = '<h2 id="operations">Operations</h2>\n'
  if (operations.length > MAX_LISTED)
    return `${title}<p>${operations.length} operations can answer with this code. The <a href="/docs">page of each operation</a> lists its codes.</p>\n`
  const rows = operations.map(({ href, summary }) => `<li><a href="${href}">${escapeHtml(summary)}</a></li>`)
  return `${title}<ul class="related">${rows.join('\n')}</ul>\n`
}

export function makeErrorPage(error: ErrorDescription, all: readonly ErrorDescription[], reference: Reference): Page {
  const { code, status, text, operations } = error
  const example = reference.failureExamples.get(code)
  const body = `<h1><code>${code}</code></h1>
<p>Status ${status}.</p>
${renderMarkdown(text, 'errors')}${example ? `<h2 id="example">Example</h2>\n${renderCode(JSON.stringify(example, null, 2), `Answer with ${code}`)}` : ''}${renderOperations(operations)}<p>Guide: <a href="/docs/guides/errors-and-retries">Errors and retries</a>.</p>
`
  return {
    title: code,
    section: 'errors',
    trail: [{ href: '/docs/errors', text: 'Errors' }],
    side: renderSide(all, code),
    description: `Meaning, cause and remedy of ${code}.`,
    body,
  }
}

/** The sections of docs/errors.md; the page of a record that is missing stands for all of them. */
export function makeErrorsPage(errors: readonly ErrorDescription[]): Page {
  const [intro = ''] = readGuide('errors').split(/^## /m)
  const rows = errors.map(({ code, status, text }) => {
    const [meaning = ''] = text.split('\n\n')
    const about = renderLine(meaning.trim(), 'errors')
    return `<div id="${toAnchor(code)}"><dt><a href="/docs/errors/${code}"><code>${code}</code></a> <span>${status}</span></dt><dd>${about}</dd></div>`
  })
  const body = `${renderMarkdown(intro, 'errors')}<dl class="fields">\n${rows.join('\n')}</dl>\n`
  return { title: 'Errors', section: 'errors', side: renderSide(errors), body }
}
