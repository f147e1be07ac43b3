// Runs on Node, beside the tests.
import process from 'node:process'
import { listMigrations, readCreationStatements } from '../scripts/migrations/files.ts'
import { readDeclaredSettings } from '../scripts/wrangler.ts'

/** `npm run sql` names an operation, and runs only the project `sql`. */
export const SQL_OPERATION = process.env.SQL_OPERATION ?? ''

/** Bindings of the service in all tests: the settings of `wrangler.toml`, whatever `.dev.vars` sets, and the schema. */
export const readTestBindings = async (): Promise<Record<string, string | string[]>> => ({
  ...(await readDeclaredSettings()),
  // `npm run check:homes` runs the tests in home 1 of two homes.
  ...(process.env.TWO_HOMES && { HOMES: '1:eu:DB:FILES 0:default:DB_EU:FILES_EU' }),
  MAIL_API_KEY: '',
  MAIL_EVENTS_SECRETS: '',
  WEBHOOK_LOOPBACK: '',
  // `npm run check:costs` asks for more.
  COST_RECORDS: process.env.COST_RECORDS ?? '1000',
  // `npm run check:sync` asks for more.
  SYNC_STEPS: process.env.SYNC_STEPS ?? '100',
  SYNC_SEEDS: process.env.SYNC_SEEDS ?? '1',
  SQL_OPERATION,
  // `npm run check -- mutations` chooses headings.
  CONTRACT_HEADINGS: process.env.CONTRACT_HEADINGS ?? '',
  MIGRATIONS: listMigrations(),
  CREATION: await readCreationStatements(),
  SIGNING_SECRETS:
    'test-new:bmV3LXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZS0wMDAx,test-old:b2xkLXNlY3JldC1vZi10aGUtdGVzdC1zdWl0ZS0wMDAx',
})
