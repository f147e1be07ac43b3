export const VARIABLE_NAME_PATTERN = /^[A-Za-z]\w{0,63}$/

const PLACEHOLDER_PATTERN = /\{\{\s*([A-Za-z]\w{0,63})\s*\}\}/g

export function parsePlaceholders(html: string): { content: string; names: string[]; inTag: boolean } {
  const names = new Set<string>()
  const content = html.replace(PLACEHOLDER_PATTERN, (_, name: string) => {
    names.add(name)
    return `{{${name}}}`
  })
  return { content, names: [...names], inTag: hasPlaceholderInTag(content) }
}

export const UNKNOWN_VARIABLE_MESSAGE = 'is not in the variables. Add the variable, or remove the placeholder.'

/** Expects sanitized HTML, because sanitized attributes have quotes. */
function hasPlaceholderInTag(html: string): boolean {
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    if (open < 0) return false
    let quote = ''
    let end = open + 1
    for (; end < html.length; end++) {
      const sign = html[end] as string
      if (quote ? sign === quote : sign === '"' || sign === "'") quote = quote ? '' : sign
      else if (!quote && sign === '>') break
    }
    const tag = html.slice(open, end)
    const place = tag.indexOf('{{')
    if (place >= 0 && tag.includes('}}', place)) return true
    at = end
  }
}
