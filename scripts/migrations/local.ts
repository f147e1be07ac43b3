import { globSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openHomeDatabase } from '../service/home.ts'
import { listDeclaredHomes, localDatabase, UserProblem, withLocalDatabases } from '../wrangler.ts'
import { applyMigrations, findOldSchemaMessage, listMigrations } from './files.ts'

const SELECT_LEDGER = "SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'"
const SELECT_HOME_TABLE = "SELECT 1 FROM sqlite_schema WHERE name = 'home'"

interface LocalDatabase {
  /** Names of migrations. */
  applied: string[]
  /** Whether the database knows the number of its home. */
  isOpen: boolean
}

/** Reads the files, because the runtime takes a lock even to read. */
function listLocalDatabases(state: string): LocalDatabase[] {
  const files = globSync('v3/d1/*/*.sqlite', { cwd: state }).filter((file) => path.basename(file) !== 'metadata.sqlite')
  return files.map((file) => {
    const stored = new DatabaseSync(path.join(state, file), { readOnly: true })
    try {
      const rows = stored.prepare(SELECT_LEDGER).get()
        ? stored.prepare('SELECT name FROM d1_migrations ORDER BY id').all()
        : []
      const isOpen = stored.prepare(SELECT_HOME_TABLE).get() && stored.prepare('SELECT 1 FROM home').get()
      return { applied: rows.map(({ name }) => String(name)), isOpen: isOpen !== undefined }
    } finally {
      stored.close()
    }
  })
}

/** Applies the migrations to the local database of each home. */
export async function applyLocalMigrations(state: string): Promise<void> {
  const databases = listLocalDatabases(state)
  const [old] = databases.flatMap(({ applied }) => findOldSchemaMessage(applied) ?? [])
  if (old) throw new UserProblem(`${old}\n\n${leaveOldState(state)}`)
  const homes = await listDeclaredHomes(localDatabase(state))
  const isReady = ({ applied, isOpen }: LocalDatabase) =>
    listMigrations().every((name) => applied.includes(name)) && (isOpen || homes.length === 1)
  if (databases.length >= homes.length && databases.every(isReady)) return
  await withLocalDatabases(state, async (runLocalSql) => {
    for (const { number, database } of homes) {
      const run = (statements: string[]) => runLocalSql(database, statements.join(';\n'))
      await applyMigrations({ run, execute: (sql) => runLocalSql(database, sql) })
      if (homes.length > 1) await openHomeDatabase(number, run)
    }
  })
}

const leaveOldState = (
  state: string,
) => `To keep records, start the version that created the database, and download them:

  git checkout "$(git rev-list -1 HEAD -- migrations/0086_plain_names.sql)~1" && npm start
  GET /api/initiatives/{product_external_key}/backlog/export
  GET /api/feedback-items/export
  GET /api/v2/idea-manager/members/export

Then delete the old data, start this version, and import the files:

  rm -r '${state}'`
