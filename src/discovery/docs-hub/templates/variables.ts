/** How a variable is called: `{{product_name}}`. */
export const VARIABLE = /^[A-Za-z]\w{0,63}$/

const PLACE = /\{\{\s*([A-Za-z]\w{0,63})\s*\}\}/g

/** HTML with each variable written in one way, and what is wrong with the places where they stand, as sentences. */
export function readPlaces(html: string, known: ReadonlySet<string>): { content: string; problems: string[] } {
  const unknown = new Set<string>()
  const content = html.replace(PLACE, (_, name: string) => {
    if (!known.has(name)) unknown.add(name)
    return `{{${name}}}`
  })
  const problems = Array.from(
    unknown,
    (name) => `{{${name}}} is none of the variables. Add it to them, or take it out.`,
  )
  if (inTag(content)) problems.push('A variable stands in text alone, not within a tag. Take it out of the tag.')
  return { content, problems }
}

/** Whether a place of a variable stands within a tag of sanitised HTML, whose attributes have quotes. */
function inTag(html: string): boolean {
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
