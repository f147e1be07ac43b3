import { getTableName } from 'drizzle-orm'
import { getTableConfig, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { ERASURE_STEPS } from '../../src/people/erasure/queries/steps'
import { declaredTables } from '../tables'

const PERSONAL_PATTERN =
  /(?:user|person|author|member|voter)s?(?:_ids?)?$|email$|mentions$|attributes$|reply_to$|(?:first|last)_name$/

/** Personal columns that no step of an erasure changes, with the reason. */
const OTHER_COLUMNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['email', 'first_name', 'last_name', 'attributes'].map((name) => [`users.${name}`, 'cleared by the request']),
  ),
  'suppressions.email': 'deleted by the request; a keyed hash takes its place',
  'api_keys.user_id': 'revoked by the request',
  'sign_ins.user_id': 'deleted by the cron within minutes',
  'segment_members.user_id': 'deleted by the request',
  'segment_confirmations.user_id': 'deleted with the row of the person, by the purge',
  'invitations.user_id': 'deleted with the row of the person, by the purge',
  'team_members.user_id': 'deleted with the row of the person, by the purge',
  'incoming_webhooks.except_authors': 'accounts of the other system, in settings that the workspace changes',
  'erasures.user_id': 'the list of erased ids',
  'erasures.person': 'cleared at the end of the erasure',
  'feedback_bulk.user_id': 'deleted in the batch that writes the row',
  'feedback_bulk.author': 'deleted in the batch that writes the row',
  // Ids name nobody without the row of the person.
  ...Object.fromEntries(
    [
      ...['assets.user_id', 'feedback_votes.user_id', 'feedback_comments.mentions', 'work_item_comments.mentions'],
      ...['email_recipients.user_id', 'imports.user_id', 'log.actor_user_id', 'log.person_id'],
      ...['notices.actor_user_id', 'notice_people.user_id', 'notice_digests.user_id', 'mail_preferences.user_id'],
      'changelog_followers.user_id',
    ].map((name) => [name, 'the id of a row that the purge deletes']),
  ),
}

test('an erasure of a person reaches every column about people, or a reason says why not', () => {
  const dialect = new SQLiteSyncDialect()
  const changed = new Set(
    ERASURE_STEPS.flatMap(({ table, changes, hasPersonalData }) => {
      const { columns } = getTableConfig(table)
      const text = changes && dialect.sqlToQuery(changes).sql
      const names = columns.map(({ name }) => name)
      const isDeleted = !changes && hasPersonalData
      return names
        .filter((name) => isDeleted || text?.includes(`"${name}" =`))
        .map((name) => `${getTableName(table)}.${name}`)
    }),
  )
  const personal = declaredTables.flatMap((table) =>
    getTableConfig(table)
      .columns.filter(({ name }) => PERSONAL_PATTERN.test(name))
      .map(({ name }) => `${getTableName(table)}.${name}`),
  )
  expect(personal.length).toBeGreaterThan(25)
  expect(
    personal.filter((name) => !changed.has(name) && !(name in OTHER_COLUMNS)),
    'Add a step to ERASURE_STEPS, or the reason to OTHER_COLUMNS.',
  ).toEqual([])
  expect(
    Object.keys(OTHER_COLUMNS).filter((name) => changed.has(name) || !personal.includes(name)),
    'A step changes these columns, or they do not exist. Remove them from OTHER_COLUMNS.',
  ).toEqual([])
})
