// SQLite keywords possible in place of a name. A name equal to a keyword keeps the quotes.
const SQLITE_KEYWORDS = new Set(
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case
   cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp
   database default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive
   exists explain fail filter first following for foreign from full generated glob group groups having if ignore immediate
   in index indexed initially inner insert instead intersect into is isnull join key last left like limit match
   materialized natural no not nothing notnull null nulls of offset on or order others outer over partition plan pragma
   preceding primary query raise range recursive references regexp reindex release rename replace restrict returning right
   rollback row rows savepoint select set table temp temporary then ties to transaction trigger unbounded union unique
   update using vacuum values view virtual when where window with without true false`.split(/\s+/),
)

const SQL_PART_PATTERN = /'(?:[^']|'')*'|"([A-Za-z_]\w*)"|\s*([,()=])\s*|\s+/g

/** A short text saves time: the text travels with every request, and is the key of the cached plan. */
export function shortenSql(text: string): string {
  return aliasTables(text)
    .replace(SQL_PART_PATTERN, (part, name: string | undefined, mark: string | undefined) => {
      if (part.startsWith("'")) return part
      if (mark !== undefined) return mark
      if (name === undefined) return ' '
      return SQLITE_KEYWORDS.has(name.toLowerCase()) ? part : name
    })
    .trim()
}

const MIN_ALIAS_USES = 3

function aliasTables(text: string): string {
  const uses = new Map<string, number>()
  for (const [, table = ''] of text.matchAll(/"(\w+)"\./g)) uses.set(table, (uses.get(table) ?? 0) + 1)
  let short = text
  for (const [table, count] of uses) if (count >= MIN_ALIAS_USES) short = aliasTable(short, table)
  return short
}

/** Returns the text unchanged if the text uses the table's name in another way. */
function aliasTable(text: string, table: string): string {
  // RETURNING accepts the table's own name only, not an alias.
  if (/\bRETURNING\b/.test(text) && new RegExp(`\\b(?:INTO|UPDATE|DELETE FROM)\\s+"${table}"`).test(text)) return text
  const alias = findUnusedAlias(text, table)
  const named = text
    .replaceAll(`"${table}".`, `${alias}.`)
    .replace(
      new RegExp(`(\\b(?:FROM|JOIN|INTO|UPDATE)\\s+)"${table}"(?!\\s+(?:AS\\s|[a-z"]))`, 'g'),
      `$1"${table}" AS ${alias}`,
    )
    .replace(new RegExp(`(\\)\\s*)"${table}"`, 'g'), `$1${alias}`)
  const left = named
    .replace(new RegExp(`"${table}" AS ${alias}\\b|\\bAS "${table}"|"${table}"\\s+(?=[a-z])`, 'g'), '')
    .replace(/'(?:[^']|'')*'/g, '')
  return new RegExp(`\\b${table}\\b`).test(left) ? text : named
}

function findUnusedAlias(text: string, name: string): string {
  const initials = name.replace(/([a-z])[a-z]*_?/g, '$1')
  for (let n = 0; ; n++) {
    const free = n === 0 ? initials : `${initials}${n}`
    if (!SQLITE_KEYWORDS.has(free) && !new RegExp(`\\b${free}\\b`).test(text)) return free
  }
}
