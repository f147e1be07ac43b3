import { Marked } from 'marked'

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The anchor that GitHub gives to a heading, because the links of docs/ use these anchors. */
export const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Blocks scroll sideways on a narrow screen; the tab index lets the keyboard scroll them. */
export const renderCode = (code: string, label: string) =>
  `<pre tabindex="0" role="region" aria-label="${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre>\n`

const plain = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    codespan: ({ text }) => `<code>${escapeHtml(text)}</code>`,
  },
})

/** A description of the OpenAPI document. */
export const renderText = (text: string) => plain.parseInline(text.replace(/\s+/g, ' '), { async: false })

export interface Page {
  title: string
  /** Trail of the pages above, from the root. */
  trail?: readonly { href: string; text: string }[]
  /** Section of the header. */
  section: 'reference' | 'guides' | 'errors'
  side?: string
  body: string
  description?: string
}

const SECTIONS = [
  { section: 'guides', href: '/docs/guides', text: 'Guides' },
  { section: 'reference', href: '/docs', text: 'Reference' },
  { section: 'errors', href: '/docs/errors', text: 'Errors' },
]

const renderTrail = (trail: Page['trail'] = []) =>
  trail.length
    ? `<nav aria-label="Path"><ol class="trail">${trail.map(({ href, text }) => `<li><a href="${href}">${escapeHtml(text)}</a></li>`).join('')}</ol></nav>\n`
    : ''

export function renderPage({ title, trail, section, side, body, description }: Page): string {
  const links = SECTIONS.map(
    (one) => `<a href="${one.href}"${one.section === section ? ' aria-current="true"' : ''}>${one.text}</a>`,
  ).join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${description ? `<meta name="description" content="${escapeHtml(description)}">\n` : ''}<title>${escapeHtml(title)} · Groundwork</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/pages.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="/">Groundwork</a>
<nav aria-label="Documentation">${links}</nav>
<form role="search" action="/docs" class="search">
<label class="hidden" for="search-words">Search the documentation</label>
<input id="search-words" name="q" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<div id="found" class="found" hidden></div>
<p role="status" class="hidden" id="found-count"></p>
</form>
</header>
<div class="columns${side ? '' : ' single'}">
${side ? `<nav class="side" aria-label="Section">\n${side}</nav>\n` : ''}<main id="main">
${renderTrail(trail)}${body}</main>
</div>
</body>
</html>
`
}
