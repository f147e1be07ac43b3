import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Database } from '../../../db/client/client'
import { insertStatement, updateStatement } from '../../../db/records/change'
import { type ExternalIdKey, hasInserted, makeUpsertParts } from '../../../db/records/external-id'
import { bindPerson, createBehalfStatements, idOfPersonOrCaller } from '../../../db/records/members'
import { productId } from '../../../db/sql/access'
import { lastTakenKey, takeNumbers } from '../../../db/sql/numbering'
import { setJsonMembers } from '../../../db/sql/selection'
import { directlyAfter, inline, param, type Statement } from '../../../db/sql/statement'
import { createNoticeChoice } from '../../../people/notices/statements'
import { MAX_TAGS_PER_ITEM, UpsertFeedbackItem } from '../schema'
import { currentTagsJson, feedbackByExternalId, initialVisibility, itemOfExternalIdMerged } from './record'
import {
  availableSlug,
  buildTagReplacement,
  createAuthorAnonymization,
  createAuthorGuard,
  createVotingDateGuards,
  derivedTagsField,
  expandedTagsField,
  type FeedbackChange,
  requestedTagsJson,
} from './write'

const item = feedbackByExternalId
const parts = makeUpsertParts(item)
const behalfOfAuthor = createBehalfStatements('/user/email', { when: parts.isMissing })
const keyCannotReadAuthor = createAuthorGuard(item)
const votingDatesOutOfOrder = createVotingDateGuards(item)
const anonymizeAuthor = createAuthorAnonymization(item)
const { insertMissingTags, replaceTags, addTags } = buildTagReplacement(item, productId)
const updateItem = updateStatement(item, UpsertFeedbackItem, { except: ['tags', 'user', 'notify'] })
const chooseNotice = createNoticeChoice(item.id)
const takeNumberIfMissing = takeNumbers('IDEA', sql`(${parts.isMissing})`)
const insertItem = insertStatement(item, UpsertFeedbackItem, {
  except: ['tags', 'user', 'notify'],
  values: {
    productId,
    externalKey: lastTakenKey('IDEA'),
    slug: availableSlug,
    userId: idOfPersonOrCaller,
    visibilityLevel: initialVisibility,
    source: param('source'),
    externalId: param('externalId'),
  },
  from: parts.whereMissing,
  returns: parts.returningId,
})
const tooManyTags = item.refuseIf(
  `validation_failed:/tags:The item would have more than ${MAX_TAGS_PER_ITEM} tags. Remove some tags of the item.`,
  sql`(SELECT count(*) FROM json_each(${param('tags')}) t
    WHERE t.value ->> 1 NOT IN (SELECT c.value ->> 'slug' FROM json_each(${currentTagsJson}) c))
    > max(0, ${inline(MAX_TAGS_PER_ITEM)} - json_array_length(${currentTagsJson}))`,
)
// The tags are attached after the event, because the event must follow the insert.
const requestedTags = { name: 'tags', json: sql`json(${requestedTagsJson})` }
const { eventSource } = item
const emitCreated = parts.emitCreated()
const emitCreatedWithTags = parts.emitCreated({
  ...eventSource,
  data: setJsonMembers(eventSource.data, [requestedTags]),
})

export interface FeedbackUpsert extends Omit<FeedbackChange, 'body'> {
  body: z.output<typeof UpsertFeedbackItem>
  slug: string
  addsTags: boolean
}

export async function upsertFeedbackItem(
  db: Database,
  { source, externalId }: ExternalIdKey,
  { body, slug, tags, references, addsTags }: FeedbackUpsert,
) {
  const { user, is_anonymous } = body
  const key = { source, externalId }
  const values = { ...key, slug, ...bindPerson(user), tags: JSON.stringify(tags ?? []) }
  const insertion = insertItem(body, values)
  const emitted = (tags ? emitCreatedWithTags : emitCreated)(values)
  const statements: Statement[] = [
    ...(tags?.length ? insertMissingTags(values) : []),
    ...(is_anonymous ? [anonymizeAuthor(key)] : []),
    ...updateItem(values, body, tags && [addsTags ? expandedTagsField : derivedTagsField]),
    ...(body.status_id ? chooseNotice(body.notify ?? 'later', key) : []),
    ...behalfOfAuthor.insertUnknown(user, { ...key, unseen: is_anonymous ?? false }),
    takeNumberIfMissing(key),
    insertion,
    directlyAfter(insertion, emitted),
    ...(tags ? (addsTags ? addTags : replaceTags).map((make) => make(values)) : []),
  ]
  const { rows, results } = await db.write({
    guards: [
      itemOfExternalIdMerged(key),
      ...behalfOfAuthor.guards(user, key),
      ...(is_anonymous === undefined || is_anonymous ? [] : [keyCannotReadAuthor(key)]),
      ...votingDatesOutOfOrder(key, body),
      ...(addsTags && tags ? [tooManyTags(values)] : []),
    ],
    references,
    growth: parts.growth,
    statements,
    returning: item.returningByKey(key),
  })
  return { ...item.toReply(rows), isNew: hasInserted(results, statements, insertion) }
}
