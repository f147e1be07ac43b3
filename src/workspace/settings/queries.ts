import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import { updateStatement } from '../../db/records/change'
import { record } from '../../db/records/record'
import { settings as table } from '../../db/schema/settings'
import { type Field, json } from '../../db/sql/field'
import { ModifySettings, type Settings } from './schema'

type FeedbackSettings = z.output<typeof Settings>['feedback']
type FeedbackSettingsInput = NonNullable<z.output<typeof ModifySettings>['feedback']>

/** A modify merges the sent members into the stored settings. */
const feedbackSettingsField: Field<string, FeedbackSettings, FeedbackSettingsInput> = {
  ...json<FeedbackSettings>(table.feedback),
  store: (given) => JSON.stringify(given),
  setSql: (given) => sql`json_patch(${table.feedback}, ${given})`,
}

type MailTemplates = z.output<typeof Settings>['mailTemplates']
type MailTemplatesInput = NonNullable<z.output<typeof ModifySettings>['mailTemplates']>

const mailTemplatesField: Field<string, MailTemplates, MailTemplatesInput> = {
  ...json<MailTemplates>(table.mailTemplates),
  store: (given) => JSON.stringify(given),
  setSql: (given) => sql`json_patch(${table.mailTemplates}, ${given})`,
}

const settings = record('settings', {
  table,
  scope: 'workspace',
  key: {},
  id: table.subscriptionId,
  name: sql`'settings'`,
  fields: {
    feedback: feedbackSettingsField,
    cors: json<string[]>(table.cors),
    ideaUrl: table.ideaUrl,
    mailTemplates: mailTemplatesField,
  },
})

export const getSettings = (db: Database) => settings.get(db, {})

const updateSettings = updateStatement(settings, ModifySettings)

export const modifySettings = (db: Database, body: z.output<typeof ModifySettings>, ifMatch: string | null) =>
  settings.save(db, {
    guards: settings.writeGuards({}, ifMatch),
    statements: updateSettings({}, body),
    returning: settings.returningByKey({}),
  })
