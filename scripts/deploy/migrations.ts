// D1 splits a file into statements by rules known to fail for apostrophes and semicolons in comments, and for triggers
// of several lines: each statement becomes a file of a single line without comments.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { unstable_splitSqlQuery as split } from 'wrangler'
import { root } from '../wrangler.ts'

export const GENERATED_MIGRATIONS_FOLDER = path.join(root, '.wrangler', 'migrations')

const QUOTED_OR_COMMENT_PATTERN = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\//g
const QUOTED_OR_SPACE_PATTERN = /'(?:[^']|'')*'|"[^"]*"|\s+/g

const isQuoted = (text: string) => text.startsWith("'") || text.startsWith('"')

export function splitMigration(file: string): string[] {
  const bare = file.replace(QUOTED_OR_COMMENT_PATTERN, (part) => (isQuoted(part) ? part : ' '))
  return split(bare)
    .map((statement) => statement.replace(QUOTED_OR_SPACE_PATTERN, (part) => (isQuoted(part) ? part : ' ')).trim())
    .filter(Boolean)
    .map((statement) => (statement.endsWith(';') ? statement : `${statement};`))
}

export function generateMigrations(from = path.join(root, 'migrations'), to = GENERATED_MIGRATIONS_FOLDER): string[] {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  return globSync('*.sql', { cwd: from })
    .sort()
    .flatMap((file) =>
      splitMigration(readFileSync(path.join(from, file), 'utf8')).map((statement, n) => {
        const name = file.replace(/^(\d+)_/, `$1_${String(n + 1).padStart(3, '0')}_`)
        writeFileSync(path.join(to, name), `${statement}\n`)
        return name
      }),
    )
}
