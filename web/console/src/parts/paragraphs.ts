const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Comments are HTML; a blank line begins a paragraph. */
export const toParagraphs = (text: string): string =>
  text
    .trim()
    .replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('')
