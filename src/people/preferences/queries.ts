import { type SQL, sql } from 'drizzle-orm'
import type { Database, Store } from '../../db/client/client'
import { returningDone } from '../../db/records/lifecycle'
import { feedbackComments, feedbackItems, feedbackSubscriptions, feedbackVotes } from '../../db/schema/feedback'
import { mailPreferences, noticeDigests, noticePeople, notices } from '../../db/schema/notices'
import { emailRecipients, suppressions } from '../../db/schema/segments-and-mail'
import { users } from '../../db/schema/tenancy'
import { eventSql } from '../../db/sql/events'
import { caller, directlyAfter, insertInto, param, statement, type Values } from '../../db/sql/statement'
import { createFollowChange, personFollowsChangelog } from '../../feedback/changelog/following/statements'
import type { PreferencesLink } from '../../http/link-token'
import type { NoticeKind } from '../notices/schema'
import type { DigestChoice } from './schema'
import { digestDueAt, joinPreferences } from './statements'

/** The recipient of the mail with the link, as long as the person is a member and has the address of the mail. */
const fromRecipient = sql`FROM ${emailRecipients} CROSS JOIN ${users} ON ${users.id} = ${emailRecipients.userId}
    AND +${users.subscriptionId} = ${caller.subscription} AND ${users.deletedAt} IS NULL
  WHERE ${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${param('emailId')}
    AND ${emailRecipients.position} = ${param('position')} AND ${users.addressRound} = ${param('addressRound')}`
/** The recipient of a link, or without a link the caller. */
const personId = sql`CASE WHEN ${param('emailId')} IS NOT NULL THEN (SELECT ${users.id} ${fromRecipient})
  ELSE (SELECT ${users.id} FROM ${users} WHERE ${users.id} = ${caller.user} AND ${users.subscriptionId} = ${caller.subscription}
    AND ${users.deletedAt} IS NULL) END`

const rowIsOfPerson = (alias: string, person: SQL) =>
  sql`${sql.raw(alias)}.subscription_id = ${caller.subscription} AND ${sql.raw(alias)}.feedback_id = i.id AND ${sql.raw(alias)}.user_id = ${person}`
const reasonOf = (person: SQL) =>
  sql`(SELECT s.reason FROM ${feedbackSubscriptions} s WHERE ${rowIsOfPerson('s', person)})`
/** A person sees titles only of ideas that the person follows, or has left. An anonymous author gets no mail. */
const fromIdea = (person: SQL) => sql`FROM ${feedbackItems} i WHERE i.subscription_id = ${caller.subscription}
  AND i.external_key = ${param('idea')} AND i.deleted_at IS NULL
  AND (${reasonOf(person)} IS NOT NULL AND NOT (i.is_anonymous IS 1 AND i.user_id = ${person} AND ${reasonOf(person)} = 'author')
    OR EXISTS (SELECT 1 FROM ${feedbackVotes} v WHERE ${rowIsOfPerson('v', person)})
    OR EXISTS (SELECT 1 FROM ${feedbackComments} c WHERE ${rowIsOfPerson('c', person)} AND c.is_private = 0))`

interface PreferencesRow {
  email: string
  isColleague: 0 | 1
  digest: DigestChoice | null
  stoppedKinds: string | null
  isSuppressed: 0 | 1
  followsChangelog: 0 | 1
  ideaTitle: string | null
  ideaReason: string | null
}

type LinkValues = Record<'emailId' | 'position' | 'addressRound', number | null> & { idea: string | null }

const selectPreferences = statement<PreferencesRow, LinkValues>(sql`
  SELECT ${users.email} AS "email", ${users.role} <> 'idm_member' AS "isColleague", p.digest AS "digest",
    p.stopped_kinds AS "stoppedKinds", EXISTS (SELECT 1 FROM ${suppressions} WHERE ${suppressions.subscriptionId} = ${caller.subscription}
      AND ${suppressions.email} = ${users.email} AND ${suppressions.segmentId} = 0) AS "isSuppressed", ${personFollowsChangelog(sql`person.id`)} AS "followsChangelog",
    (SELECT i.title ${fromIdea(sql`person.id`)}) AS "ideaTitle", (SELECT ${reasonOf(sql`person.id`)} ${fromIdea(sql`person.id`)}) AS "ideaReason"
  FROM (SELECT ${personId} AS id) person CROSS JOIN ${users} ON ${users.id} = person.id
    LEFT JOIN ${mailPreferences} p ON p.subscription_id = ${caller.subscription} AND p.user_id = person.id`)

export interface Preferences {
  email: string
  isColleague: boolean
  digest: DigestChoice
  stoppedKinds: NoticeKind[]
  isSuppressed: boolean
  followsChangelog: boolean
  idea: { title: string; isStopped: boolean } | undefined
}

const toPreferences = (row: PreferencesRow | undefined): Preferences | undefined =>
  row && {
    email: row.email,
    isColleague: row.isColleague === 1,
    digest: row.digest ?? 'off',
    stoppedKinds: JSON.parse(row.stoppedKinds ?? '[]') as NoticeKind[],
    isSuppressed: row.isSuppressed === 1,
    followsChangelog: row.followsChangelog === 1,
    idea: row.ideaTitle === null ? undefined : { title: row.ideaTitle, isStopped: row.ideaReason === 'left' },
  }

const bindLink = ({ emailId, position, addressRound }: PreferencesLink, idea: string | undefined): LinkValues => ({
  ...{ emailId, position, addressRound, idea: idea ?? null },
})

export async function findPreferences(store: Store, link: PreferencesLink, idea: string | undefined) {
  const [[row]] = await store.batch(link.subscriptionId, selectPreferences(bindLink(link, idea)))
  return toPreferences(row)
}

const upsertPreferences = statement<never, Values>(sql`${insertInto(
  mailPreferences,
  {
    subscriptionId: caller.subscription,
    userId: sql`person.id`,
    digest: param('digest'),
    stoppedKinds: param('stoppedKinds'),
    updatedAt: caller.now,
  },
  sql`FROM (SELECT ${personId} AS id) person WHERE person.id IS NOT NULL`,
)} ON CONFLICT DO UPDATE SET digest = excluded.digest, stopped_kinds = excluded.stopped_kinds, updated_at = excluded.updated_at
  WHERE (${mailPreferences.digest}, ${mailPreferences.stoppedKinds}) IS NOT (excluded.digest, excluded.stopped_kinds)`)

const emitPreferences = statement<never, Values>(
  eventSql({
    type: 'member.mail_preferences_updated',
    key: sql`CAST(${mailPreferences.userId} AS TEXT)`,
    person: sql`${mailPreferences.userId}`,
    data: sql`json_object('id', ${mailPreferences.userId}, 'digest', ${mailPreferences.digest},
      'stoppedKinds', json(${mailPreferences.stoppedKinds}))`,
    from: sql`FROM ${mailPreferences} WHERE ${mailPreferences.subscriptionId} = ${caller.subscription}
      AND ${mailPreferences.userId} = ${personId} AND changes() > 0`,
  }),
)

/** The mail that waits leaves at the time of the new choice. */
const rescheduleDigest = statement<never, Values>(sql`UPDATE ${noticeDigests} SET due_at = coalesce((
    SELECT min(${digestDueAt(sql`coalesce(n.due_at, n.created_at)`)}) FROM ${noticePeople} w CROSS JOIN ${notices} n ON n.id = w.notice_id
      ${joinPreferences(sql`w.user_id`)}
    WHERE w.subscription_id = ${caller.subscription} AND w.user_id = ${noticeDigests.userId}), due_at)
  WHERE ${noticeDigests.subscriptionId} = ${caller.subscription} AND ${noticeDigests.userId} = ${personId}`)

const selectPersonId = sql`SELECT ${personId} AS id`
const followChangelog = createFollowChange('follow', selectPersonId)
const leaveChangelog = createFollowChange('leave', selectPersonId)

interface PreferencesChoice {
  digest: DigestChoice
  stoppedKinds: readonly NoticeKind[]
  followsChangelog: boolean
}

const toValues = ({ digest, stoppedKinds }: PreferencesChoice) => ({
  digest,
  stoppedKinds: JSON.stringify(stoppedKinds),
})

function savingStatements(values: Values, followsChangelog: boolean) {
  const saved = upsertPreferences(values)
  return [
    saved,
    directlyAfter(saved, emitPreferences(values)),
    rescheduleDigest(values),
    ...(followsChangelog ? followChangelog(values) : leaveChangelog(values)),
  ]
}

const CALLER: LinkValues = { emailId: null, position: null, addressRound: null, idea: null }

/** The choice of the caller. */
export async function getOwnPreferences(db: Database): Promise<Preferences | undefined> {
  const [[row]] = await db.read(selectPreferences(CALLER))
  return toPreferences(row)
}

export async function saveOwnPreferences(db: Database, choice: PreferencesChoice): Promise<void> {
  const statements = savingStatements({ ...CALLER, ...toValues(choice) }, choice.followsChangelog)
  await db.write({ statements, returning: returningDone({}) })
}

export async function savePreferences(
  store: Store,
  link: PreferencesLink,
  idea: string | undefined,
  choice: PreferencesChoice,
) {
  const values = { ...bindLink(link, idea), ...toValues(choice) }
  const results = await store.batch(
    link.subscriptionId,
    ...savingStatements(values, choice.followsChangelog),
    selectPreferences(bindLink(link, idea)),
  )
  return toPreferences((results.at(-1) as PreferencesRow[])[0])
}

const fromFollowed = sql`FROM (SELECT ${personId} AS id) person CROSS JOIN (SELECT i.* ${fromIdea(personId)}) i
  WHERE person.id IS NOT NULL AND ${reasonOf(sql`person.id`)} IS NOT 'left'`
const emitUnsubscribed = statement<never, Values>(
  eventSql({
    type: 'feedback.unsubscribed',
    key: sql`i.external_key`,
    product: sql`i.product_id`,
    data: sql`json_object('external_key', i.external_key, 'user_id', CASE WHEN i.is_anonymous IS NOT 1 THEN person.id END)`,
    from: fromFollowed,
  }),
)
const leaveIdea = statement<never, Values>(
  sql`${insertInto(
    feedbackSubscriptions,
    {
      subscriptionId: caller.subscription,
      feedbackId: sql`i.id`,
      userId: sql`person.id`,
      reason: sql`'left'`,
      createdAt: caller.now,
    },
    fromFollowed,
  )} ON CONFLICT DO UPDATE SET reason = 'left', merged_from = NULL`,
)

export async function stopIdea(store: Store, link: PreferencesLink, idea: string) {
  const values = bindLink(link, idea)
  const [, , [row]] = await store.batch(
    link.subscriptionId,
    emitUnsubscribed(values),
    leaveIdea(values),
    selectPreferences(values),
  )
  return toPreferences(row)
}
