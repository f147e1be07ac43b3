// The migrations as the deployed database takes them: D1 cuts a file that it is sent into statements by rules of its own,
// which apostrophes and semicolons in comments, and triggers of several lines, are known to break. So each statement is a
// file, without comments, on one line. A run that failed goes on behind the last one that was applied.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { unstable_splitSqlQuery as split } from 'wrangler'
import { root } from './wrangler.ts'

/** Where `wrangler.toml` has those of production. */
export const GENERATED = path.join(root, '.wrangler', 'migrations')

const QUOTED_OR_COMMENT = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g
const QUOTED_OR_SPACE = /'(?:[^']|'')*'|"[^"]*"|\s+/g

const isQuoted = (text: string) => text.startsWith("'") || text.startsWith('"')

/** The statements of a file, each on one line, without comments. */
export function statementsOf(file: string): string[] {
  const bare = file.replace(QUOTED_OR_COMMENT, (part) => (isQuoted(part) ? part : ' '))
  return split(bare)
    .map((statement) => statement.replace(QUOTED_OR_SPACE, (part) => (isQuoted(part) ? part : ' ')).trim())
    .filter(Boolean)
    .map((statement) => (statement.endsWith(';') ? statement : `${statement};`))
}

/** Writes the statements of the migrations in `from` as migrations in `to`; their names sort as they are to run. */
export function generateMigrations(from = path.join(root, 'migrations'), to = GENERATED): string[] {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  return globSync('*.sql', { cwd: from })
    .sort()
    .flatMap((file) =>
      statementsOf(readFileSync(path.join(from, file), 'utf8')).map((statement, n) => {
        const name = file.replace(/^(\d+)_/, `$1_${String(n + 1).padStart(3, '0')}_`)
        writeFileSync(path.join(to, name), `${statement}\n`)
        return name
      }),
    )
}
