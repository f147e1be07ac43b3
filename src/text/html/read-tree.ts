import { type HtmlTree, readWrittenHtml } from './tree'

const readOr = async (html: string, sanitize: () => Promise<string>): Promise<HtmlTree> =>
  readWrittenHtml(html) ?? readWrittenHtml(await sanitize()) ?? { children: [html] }

const loadSanitizer = () => import('./sanitizer')

/** The tree of stored HTML, or of other HTML after the sanitizer. */
export const readHtmlTree = (html: string): Promise<HtmlTree> =>
  readOr(html, async () => (await loadSanitizer()).sanitizeHtml(html, '/html'))

export const readMailTree = (html: string): Promise<HtmlTree> =>
  readOr(html, async () => (await loadSanitizer()).sanitizeMail(html, '/html').html)
