import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import { modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { type Field, json } from '../../db/field'
import { record } from '../../db/record'
import { settings as table } from '../../db/schema/feedback'
import { ModifySettings, type Settings } from './schema'

type Feedback = z.output<typeof Settings>['feedback']
type Given = NonNullable<z.output<typeof ModifySettings>['feedback']>

/** A modify merges the sent members into the stored settings. */
const feedback: Field<string, Feedback, Given> = {
  ...json<Feedback>(table.feedback),
  store: (given) => JSON.stringify(given),
  set: (given) => sql`json_patch(${table.feedback}, ${given})`,
}

const settings = record('settings', {
  table,
  within: 'workspace',
  key: {},
  id: table.subscriptionId,
  name: sql`'settings'`,
  fields: { feedback },
})

export const getSettings = (db: Database) => settings.get(db, {})

const modified = modifies(settings, ModifySettings)

export const modifySettings = (db: Database, body: z.output<typeof ModifySettings>, ifMatch: string | null) =>
  settings.save(db, {
    guards: settings.writable({}, ifMatch),
    statements: modified({}, body),
    answer: settings.reply({}),
  })
