import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listNodes, parseSource, type SyntaxNode } from './syntax'

const root = path.resolve(import.meta.dirname, '../..')
const FILES = '{src,web,clients,scripts}/**/*.{ts,tsx}'
/** The parsers and writers of HTML. */
const PARSER_FOLDER = 'src/text/html/'

/** Patterns with signs of markup, each with the reason why the pattern changes no HTML. */
const EXCEPTIONS: readonly [file: string, pattern: string, reason: string][] = [
  ['src/portal/components/prose.tsx', '/<(?:h[1-6]|im|source)/i', 'decides only whether to read the tree'],
  ['src/files/rows.ts', String.raw`/^\s*<(?:!doctype|\?xml|html|rss)\b/i`, 'refuses files of markup'],
  [
    'web/console/src/parts/rich-text/clean.ts',
    `/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi`,
    'spares reports of the browser; the tree is cleaned afterwards',
  ],
  [
    'web/console/src/parts/rich-text/clean.ts',
    String.raw`/\s([^\s=>"']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s'">]+))?/g`,
    'spares reports of the browser; the tree is cleaned afterwards',
  ],
  ['src/people/mail/variables.ts', '/&#x(?:26|3C|22);/g', 'decodes the name of a variable to measure it'],
  ['src/text/folding.ts', `\`[\${FOLDED_LETTERS.map(([letter]) => letter).join('')}]\``, 'lists letters'],
  [
    'src/text/slug.ts',
    '/[*$=<>~^|`]|[^\\x00-\\x7f\\p{L}\\p{M}\\p{N}\\p{P}\\p{Z}\\p{Cc}]|[§¶†‡‰‱※•]|\\p{No}/gu',
    'finds signs in a name, which is no HTML',
  ],
  ['scripts/pages/html.ts', String.raw`/<[^>]*>|[^\p{L}\p{N}\s_-]/gu`, 'makes an anchor of Markdown'],
  [
    'scripts/measure/format-sql.ts',
    String.raw`/'(?:[^']|'')*'|"[^"]*"|,(?! )|(?<![<>!= ])=(?![= ])|\b(?!CAST\b)[A-Z]+(?=[('])|\)(?=\w)/g`,
    'SQL',
  ],
  ['src/workspace/moves/queries/tables.ts', '/WHERE id > 0$/', 'SQL'],
  ['scripts/clients/sources.ts', "'<name>'", 'the name of a parameter'],
  ['src/workspace/webhooks/mask.ts', String.raw`/([^\s"'<>?#,]*\/)([^\s"'<>?#,/]+)/g`, 'web addresses'],
  ['src/workspace/imports/people.ts', String.raw`/^([^<>]{1,200})<\s*([^<>\s]{3,300})\s*>$/`, 'mail addresses'],
  ['src/people/mail/providers/telnyx.ts', String.raw`/^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/`, 'mail addresses'],
  [
    'src/people/mail/delivery/render.ts',
    String.raw`/^[^\s@<>,;:"\\\p{Cc}]+@[^\s@<>,;:"\\\p{Cc}]+$/u`,
    'mail addresses',
  ],
  ['src/http/security-contact.ts', String.raw`/[^<\s]+@[^>\s]+/`, 'mail addresses'],
]
const explained = EXCEPTIONS.map(([file, pattern]) => `${file} ${pattern}`)

/** Signs of a tag or of an entity in a regular expression, or in a text that is searched. */
const SIGNS = { regex: /[<>]|&(?:\(|#|[a-z]{2,})/, text: /<[a-z/!$]|[a-z"'/}]>|&(?:lt|gt|amp|quot|nbsp|#)/i }
const PATTERN_METHODS = new Set([
  'replace',
  'replaceAll',
  'split',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
  'startsWith',
  'endsWith',
])

/** `(?<name>`, `(?<=` and `(?<!` hold no markup. */
const withoutGroupNames = (pattern: string) => pattern.replaceAll(/\(\?<(?:[=!]|\w+>)/g, '(')

const isText = ({ type, value }: SyntaxNode) => type === 'TemplateLiteral' || typeof value === 'string'

/** Regular expressions and searched texts of a source that look for markup. */
function findHtmlPatterns(name: string, text: string): string[] {
  return [...listNodes(parseSource(name, text))].flatMap((node) => {
    const source = text.slice(node.start, node.end)
    if (node.regex) return SIGNS.regex.test(withoutGroupNames(node.regex.pattern)) ? [source] : []
    const method = (node.callee?.property ?? node.callee)?.name ?? ''
    const [first] = node.arguments ?? []
    if (!first || !isText(first) || !(method === 'RegExp' || PATTERN_METHODS.has(method))) return []
    const searched = text.slice(first.start, first.end)
    const isPattern = method === 'RegExp'
    return SIGNS[isPattern ? 'regex' : 'text'].test(withoutGroupNames(searched.slice(1, -1))) ? [searched] : []
  })
}

const found = globSync(FILES, { cwd: root })
  .filter((file) => !file.includes('node_modules') && !file.startsWith(PARSER_FOLDER))
  .flatMap((file) =>
    findHtmlPatterns(file, readFileSync(path.join(root, file), 'utf8')).map((pattern) => `${file} ${pattern}`),
  )

test('nothing outside of the parser reads or changes HTML by a pattern', () => {
  const unexplained = found.filter((one) => !explained.includes(one))
  expect(unexplained, 'Change HTML on its tree (src/text/html/tree.ts), or add the pattern with its reason.').toEqual(
    [],
  )
})

test('each exception stands in the source', () => {
  expect(explained.filter((one) => !found.includes(one))).toEqual([])
})

test.each([
  'html.replace(/<img\\b[^>]*>/g, "")',
  'const HEADING = /<(\\/?)h([1-6])\\b/g',
  "new RegExp('<img[^>]*>')",
  'new RegExp(`^</?`)',
  'html.split("</p>")',
  "html.indexOf('<img')",
  'html.replaceAll("<br>", "\\n")',
  'html.replace(/&(lt|gt);/g, "")',
  'html.startsWith("<p>")',
])('a pattern over HTML is found: %s', (text) => {
  expect(findHtmlPatterns('a.ts', text)).toHaveLength(1)
})

test.each(['/(?<name>a)/', '/(?<=a)b/', 'a.split(" > ")', 'a < b && c > d', '/^[\\w.]+$/'])(
  'other patterns are not markup: %s',
  (text) => {
    expect(findHtmlPatterns('a.ts', text)).toEqual([])
  },
)
