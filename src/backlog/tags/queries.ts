import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '../../db/client/client'
import { insertStatement, updateStatement } from '../../db/records/change'
import { makeLifecycle } from '../../db/records/lifecycle'
import { makeListReader } from '../../db/records/list'
import { feedbackTags, tags } from '../../db/schema/tags'
import { productId } from '../../db/sql/access'
import { caller, param, statement, type Values } from '../../db/sql/statement'
import { slugifyName } from '../../text/slug'
import { type TagKey, tag } from './fields'
import { CreateTag, ListTags, ModifyTag } from './schema'

const OptionalSlug = z.string().optional()
const insertTag = insertStatement(tag, CreateTag.extend({ slug: OptionalSlug }), { values: { productId } })
const emitCreated = tag.emit('created')

export function createTag(db: Database, body: z.output<typeof CreateTag>) {
  const slug = slugifyName(body.name)
  return tag.save(db, {
    statements: [insertTag({ ...body, slug }), emitCreated({})],
    returning: tag.inserted(),
  })
}

export const getTag = tag.get

// Sorts by the slug, because the slug has an index and starts like the name.
export const listTags = makeListReader(tag, ListTags, { sorts: { name: tags.slug } }).page

const updateTag = updateStatement(tag, ModifyTag.extend({ slug: OptionalSlug }))

export function modifyTag(db: Database, key: TagKey, body: z.output<typeof ModifyTag>, ifMatch: string | null) {
  const slug = body.name === undefined ? undefined : slugifyName(body.name)
  return tag.save(db, {
    guards: tag.writeGuards(key, ifMatch),
    statements: updateTag(key, { ...body, slug }),
    returning: tag.returningByKey(key),
  })
}

const { removal, restoration, merging } = makeLifecycle(tag)

export const removeTag = (db: Database, key: TagKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreTag = (db: Database, key: TagKey) => tag.save(db, restoration(key))

const tagIsTarget = sql`${tag.notDeleted} AND ${tags.id} = ${param('into')}`
const fromTagUses = sql`FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.tagId} = ${param('tagId')}`
const copyTagUses = statement<
  never,
  Values
>(sql`INSERT OR IGNORE INTO ${feedbackTags} (subscription_id, feedback_id, tag_id)
  SELECT ${caller.subscription}, ${feedbackTags.feedbackId}, ${param('into')} ${fromTagUses}`)
const deleteTagUses = statement<never, Values>(sql`DELETE ${fromTagUses}`)
const incrementTargetVersion = statement<
  never,
  Values
>(sql`UPDATE ${tags} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${tagIsTarget}`)
const emitTargetUpdated = tag.emit('updated', tagIsTarget)

export function mergeTag(db: Database, key: TagKey, into: number) {
  const values = { ...key, into }
  const { guards, statements, returning } = merging(key, into)
  return tag.save(db, {
    guards,
    statements: [
      copyTagUses(values),
      deleteTagUses(values),
      incrementTargetVersion(values),
      emitTargetUpdated(values),
      ...statements,
    ],
    returning,
  })
}
