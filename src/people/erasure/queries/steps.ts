import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { feedbackComments, feedbackItems, feedbackSubscriptions } from '../../../db/schema/feedback'
import { importRefusals, importRows, imports, importWarnings } from '../../../db/schema/imports'
import { emailRecipients, emails } from '../../../db/schema/segments-and-mail'
import { feedbackStatusUpdates } from '../../../db/schema/status-updates'
import { idempotencyKeys, log } from '../../../db/schema/tenancy'
import { incomingReceipts, webhookDeliveries } from '../../../db/schema/webhooks'
import { workItemComments, workItems } from '../../../db/schema/work-items'
import { isEventOfWorkspace } from '../../../db/sql/log'
import { assignments, caller, inline, param } from '../../../db/sql/statement'

/** A walk over rows of the workspace, in the order of an index. */
export interface ErasureStep {
  table: SQLiteTable
  /** The columns after the workspace, of the primary key or of `index`. */
  key: readonly SQLiteColumn[]
  index?: string
  /** Condition of the index, or of the walk. */
  within?: SQL
  hasPersonalData?: SQL
  /** Assignments; without these, the rows are deleted. */
  changes?: SQL
  /** A row that other work still needs. The walk waits in front of the row. */
  isBusy?: SQL
  /** Rows per slice. */
  size?: number
  /** Start of a key that does not begin with the workspace, as a JSON array. */
  start?(subscriptionId: number): string
}

// An event has up to 500 kB.
const EVENTS_PER_SLICE = 1_000

const memberId = param('memberId')
const email = param('email')
const isBeforeErasure = (moment: SQLiteColumn) => sql`${moment} <= ${param('erasedAt')}`
const contains = (column: SQLiteColumn) => sql`instr(lower(coalesce(${column}, '')), ${email}) > 0`
/** The address as a whole JSON text, because an address can be the end of another address. */
const containsQuoted = (column: SQLiteColumn) =>
  sql`(instr(${column}, '"' || ${email} || '"') > 0 OR instr(${column}, '"' || ${email} || '\\"') > 0)`
// The second replacement is for JSON within a JSON text.
const withoutQuoted = (column: SQLiteColumn) =>
  sql`replace(replace(${column}, '"' || ${email} || '"', '""'), '"' || ${email} || '\\"', '"\\"')`

const withoutName = (name: 'firstName' | 'lastName', source: SQL) =>
  sql`replace(${source}, ${inline(`${name}":`)} || json_quote(${param(name)}), ${inline(`${name}":""`)})`
const containsName = (name: 'firstName' | 'lastName') => sql`(${param(name)} <> ''
  AND instr(${idempotencyKeys.answer}, ${inline(`${name}":`)} || json_quote(${param(name)})) > 0)`

const userIsAuthor = (column: SQLiteColumn) => sql`${column} = ${memberId}`
const withoutMemberData = (column: SQLiteColumn) => sql`json_replace(
  iif(json_type(${column}, '$.attributes') = 'object', json_set(${column}, '$.attributes', json('{}')), ${column}),
  '$.source', NULL, '$.externalId', NULL)`

const userIsAssigned = sql`(${workItems.userIds} <> '[]'
  AND EXISTS (SELECT 1 FROM json_each(${workItems.userIds}) WHERE value = ${memberId}))`
const selectOtherAssignees = sql`(SELECT json_group_array(value) FROM json_each(${workItems.userIds}) WHERE value <> ${memberId})`

const recipientIsPerson = sql`(${emailRecipients.userId} = ${memberId}
  OR ${emailRecipients.userId} = 0 AND ${emailRecipients.email} = ${email} AND ${isBeforeErasure(emailRecipients.updatedAt)})`
const recipientIsSending = sql`(${emailRecipients.status} = 'sending')`
const recipientHasData = sql`(${emailRecipients.email} <> '' OR ${emailRecipients.variables} IS NOT NULL
  OR ${contains(emailRecipients.reason)})`

const mailIsOnlyToPerson = sql`(${emails.total} = 1 AND EXISTS (SELECT 1 FROM ${emailRecipients}
  WHERE ${emailRecipients.subscriptionId} = ${caller.subscription} AND ${emailRecipients.emailId} = ${emails.id}
    AND ${emailRecipients.position} = 0 AND ${recipientIsPerson}))`

const withoutText = (column: SQLiteColumn) => sql`iif(${mailIsOnlyToPerson}, '', ${column})`
const mailHasPersonalData = sql`(${emails.replyTo} = ${email} OR ${mailIsOnlyToPerson})`

const IDEMPOTENCY_KEY_COLUMNS = [idempotencyKeys.key, idempotencyKeys.route, idempotencyKeys.part]
const isReplyOf = (operationId: string) => sql`instr(${idempotencyKeys.route}, ${inline(` ${operationId} `)}) > 0`

const subjectOfEvent = sql`coalesce(${log.data} ->> '$.subject', '')`
const containsNameOf = (text: SQL) => sql`(${param('firstName')} <> '' AND instr(${text}, ${param('firstName')})
  OR ${param('lastName')} <> '' AND instr(${text}, ${param('lastName')}) OR instr(lower(${text}), ${email}))`
const eventIsOfOnlyMail = sql`(${log.type} GLOB 'email.*' AND ${log.data} ->> '$.totals.recipients' = 1
  AND ${containsNameOf(subjectOfEvent)})`

/** In the order of work. Steps that wait for other work come last. */
export const ERASURE_STEPS: readonly ErasureStep[] = [
  {
    table: log,
    index: 'log_resource',
    key: [log.place],
    within: sql`${log.resourceKey} = CAST(CAST(${memberId} AS INTEGER) AS TEXT)`,
    hasPersonalData: sql`${log.type} GLOB 'member.*'`,
    changes: assignments(log, { data: withoutMemberData(log.data), previous: withoutMemberData(log.previous) }),
    size: EVENTS_PER_SLICE,
  },
  {
    table: log,
    key: [log.place],
    within: isEventOfWorkspace,
    start: (subscriptionId) => `[${BigInt(subscriptionId) << 32n}]`,
    hasPersonalData: sql`(${containsQuoted(log.data)} OR ${containsQuoted(log.previous)} OR ${eventIsOfOnlyMail})`,
    changes: assignments(log, {
      data: sql`iif(${eventIsOfOnlyMail}, json_set(${withoutQuoted(log.data)}, '$.subject', ''), ${withoutQuoted(log.data)})`,
      previous: withoutQuoted(log.previous),
    }),
    size: EVENTS_PER_SLICE,
  },
  {
    table: idempotencyKeys,
    key: IDEMPOTENCY_KEY_COLUMNS,
    // These replies contain the attributes.
    hasPersonalData: sql`(${isReplyOf('createMember')} OR ${isReplyOf('restoreMember')})
      AND ${containsQuoted(idempotencyKeys.answer)} AND ${isBeforeErasure(idempotencyKeys.createdAt)}`,
  },
  {
    table: idempotencyKeys,
    key: IDEMPOTENCY_KEY_COLUMNS,
    hasPersonalData: sql`${isBeforeErasure(idempotencyKeys.createdAt)}
      AND (${containsQuoted(idempotencyKeys.answer)} OR ${containsName('firstName')} OR ${containsName('lastName')})`,
    changes: assignments(idempotencyKeys, {
      answer: withoutName('lastName', withoutName('firstName', withoutQuoted(idempotencyKeys.answer))),
    }),
  },
  {
    table: feedbackSubscriptions,
    key: [feedbackSubscriptions.feedbackId, feedbackSubscriptions.userId],
    hasPersonalData: userIsAuthor(feedbackSubscriptions.userId),
  },
  {
    table: feedbackItems,
    index: 'feedback_items_key',
    key: [feedbackItems.externalKey],
    hasPersonalData: sql`(${userIsAuthor(feedbackItems.userId)} OR ${containsQuoted(feedbackItems.attributes)})`,
    changes: assignments(feedbackItems, {
      userId: sql`iif(${userIsAuthor(feedbackItems.userId)}, 0, ${feedbackItems.userId})`,
      attributes: withoutQuoted(feedbackItems.attributes),
    }),
  },
  {
    table: feedbackComments,
    index: 'feedback_comments_created',
    key: [feedbackComments.feedbackId, feedbackComments.isPrivate, feedbackComments.createdAt, feedbackComments.id],
    hasPersonalData: userIsAuthor(feedbackComments.userId),
    changes: assignments(feedbackComments, { userId: sql`0` }),
  },
  {
    table: feedbackStatusUpdates,
    index: 'feedback_status_updates_created',
    key: [feedbackStatusUpdates.feedbackId, feedbackStatusUpdates.createdAt, feedbackStatusUpdates.id],
    hasPersonalData: userIsAuthor(feedbackStatusUpdates.userId),
    changes: assignments(feedbackStatusUpdates, { userId: sql`0` }),
  },
  {
    table: workItemComments,
    index: 'work_item_comments_thread',
    key: [workItemComments.workItemId, workItemComments.createdAt, workItemComments.id],
    within: sql`(${workItemComments.deletedAt} IS NULL OR ${workItemComments.tombstone} > 0)`,
    hasPersonalData: userIsAuthor(workItemComments.userId),
    changes: assignments(workItemComments, { userId: sql`0` }),
  },
  {
    table: workItems,
    index: 'work_items_key',
    key: [workItems.externalKey],
    hasPersonalData: sql`(${userIsAssigned} OR ${containsQuoted(workItems.attributes)})`,
    changes: assignments(workItems, {
      userIds: sql`iif(${userIsAssigned}, ${selectOtherAssignees}, ${workItems.userIds})`,
      attributes: withoutQuoted(workItems.attributes),
    }),
  },
  {
    table: webhookDeliveries,
    key: [webhookDeliveries.webhookId, webhookDeliveries.eventId],
    hasPersonalData: sql`${contains(webhookDeliveries.attempts)} AND ${isBeforeErasure(webhookDeliveries.createdAt)}`,
    changes: assignments(webhookDeliveries, { attempts: sql`'[]'` }),
  },
  {
    table: imports,
    index: 'imports_created',
    key: [imports.createdAt, imports.id],
    within: isBeforeErasure(imports.createdAt),
    isBusy: sql`${imports.objectKey} IS NOT NULL`,
  },
  {
    table: importRows,
    key: [importRows.importId, importRows.outcome, importRows.row],
    hasPersonalData: sql`(${contains(importRows.cells)} OR ${contains(importRows.value)}
      OR ${contains(importRows.reason)} OR ${contains(importRows.previous)})`,
    changes: assignments(importRows, {
      cells: sql`iif(${contains(importRows.cells)}, NULL, ${importRows.cells})`,
      value: sql`iif(${contains(importRows.value)}, NULL, ${importRows.value})`,
      reason: sql`iif(${contains(importRows.reason)}, 'The person was erased.', ${importRows.reason})`,
      previous: withoutQuoted(importRows.previous),
    }),
  },
  {
    table: importWarnings,
    key: [importWarnings.importId, importWarnings.number],
    hasPersonalData: sql`(${contains(importWarnings.value)} OR ${contains(importWarnings.became)})`,
  },
  {
    table: importRefusals,
    key: [importRefusals.userId, importRefusals.importId],
    hasPersonalData: userIsAuthor(importRefusals.userId),
  },
  {
    table: incomingReceipts,
    index: 'incoming_receipts_created',
    key: [incomingReceipts.incomingWebhookId, incomingReceipts.createdAt, incomingReceipts.id],
    hasPersonalData: sql`${isBeforeErasure(incomingReceipts.createdAt)}
      AND (${contains(incomingReceipts.outcome)} OR ${contains(incomingReceipts.error)} OR ${contains(incomingReceipts.payload)})`,
    changes: assignments(incomingReceipts, {
      payload: sql`iif(${contains(incomingReceipts.payload)}, NULL, ${incomingReceipts.payload})`,
      outcome: sql`iif(${contains(incomingReceipts.outcome)}, NULL, ${incomingReceipts.outcome})`,
      error: sql`iif(${contains(incomingReceipts.error)}, NULL, ${incomingReceipts.error})`,
    }),
    isBusy: sql`(${incomingReceipts.status} = 'queued' AND ${isBeforeErasure(incomingReceipts.createdAt)}
      AND ${contains(incomingReceipts.payload)})`,
  },
  {
    table: emails,
    index: 'emails_created',
    key: [emails.createdAt, emails.id],
    hasPersonalData: mailHasPersonalData,
    changes: assignments(emails, {
      replyTo: sql`nullif(${emails.replyTo}, ${email})`,
      subject: withoutText(emails.subject),
      html: withoutText(emails.html),
      text: withoutText(emails.text),
    }),
    // A retry sends the identical text under its key.
    isBusy: sql`(${emails.status} = 'sending' AND ${emails.canceledAt} IS NULL AND ${mailHasPersonalData})`,
  },
  {
    table: emailRecipients,
    key: [emailRecipients.emailId, emailRecipients.position],
    hasPersonalData: sql`(${recipientIsPerson} AND ${recipientHasData})`,
    changes: assignments(emailRecipients, {
      email: sql`''`,
      variables: sql`NULL`,
      reason: sql`iif(${contains(emailRecipients.reason)}, NULL, ${emailRecipients.reason})`,
    }),
    // A retry sends the identical batch under its key, so the address stays until the attempt has an outcome.
    isBusy: sql`(${recipientIsPerson} AND ${recipientIsSending})`,
  },
]
