// npm run baseline: writes baseline.sql, from which a new database is made.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { root, runMain, UserProblem } from '../wrangler.ts'
import { createMigratedDatabase, describeDatabase, dumpDatabase } from './dump.ts'
import { BASELINE_FILE, listMigrations } from './files.ts'

await runMain(async () => {
  const names = listMigrations()
  const migrated = createMigratedDatabase(names)
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const text = `-- The schema as of ${names.at(-1)}, for a new database. Later migrations come on top.
-- Written by npm run baseline at version ${version}. Do not edit.

${dumpDatabase(migrated, names)}`
  const created = new DatabaseSync(':memory:')
  created.exec(text)
  if (!isDeepStrictEqual(describeDatabase(created), describeDatabase(migrated)))
    throw new UserProblem('The baseline differs from the migrations. Correct scripts/migrations/dump.ts.')
  writeFileSync(path.join(root, BASELINE_FILE), text)
  console.log(`${BASELINE_FILE} is written, as of ${names.at(-1)}.`)
})
