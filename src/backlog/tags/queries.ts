import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { productId } from '../../db/access'
import { inserts, modifies } from '../../db/change'
import type { Database } from '../../db/client'
import { moment } from '../../db/field'
import { lifecycle } from '../../db/lifecycle'
import { list } from '../../db/list'
import { type Key, record } from '../../db/record'
import { guard } from '../../db/refuse'
import { feedbackTags, tags } from '../../db/schema/feedback'
import { caller, param, statement, type Values } from '../../db/statement'
import { uniqueness } from '../../db/unique'
import { slugify } from '../../text/slug'
import { CreateTag, ListTags, ModifyTag } from './schema'

const key = { tagId: tags.id }
export type TagKey = Key<typeof key>

export const tag = record('tag', {
  table: tags,
  within: 'product',
  key,
  unique: { column: tags.slug, taken: 'Another tag of this product has this name, or one as good as the same.' },
  fields: {
    id: tags.id,
    name: tags.name,
    slug: tags.slug,
    color: tags.color,
    usageCount: tags.usageCount,
    createdAt: moment(tags.createdAt),
    updatedAt: moment(tags.updatedAt),
  },
})

const unique = uniqueness(tag)
const slug = z.string().optional()
const inserted = inserts(tag, CreateTag.extend({ slug }), { values: { productId } })
const created = tag.event('created')

export function createTag(db: Database, body: z.output<typeof CreateTag>) {
  const slug = slugify(body.name)
  return tag.save(db, {
    guards: unique.onCreate(slug),
    statements: [inserted({ ...body, slug }), created({})],
    answer: tag.created(),
  })
}

export const getTag = tag.get

// Sorts by the slug, because the slug has an index and starts like the name.
export const listTags = list(tag, ListTags, { sorts: { name: tags.slug } }).page

const modified = modifies(tag, ModifyTag.extend({ slug }))

export function modifyTag(db: Database, key: TagKey, body: z.output<typeof ModifyTag>, ifMatch: string | null) {
  const slug = body.name === undefined ? undefined : slugify(body.name)
  return tag.save(db, {
    guards: [...tag.writable(key, ifMatch), ...unique.onModify(key, slug)],
    statements: modified(key, { ...body, slug }),
    answer: tag.reply(key),
  })
}

const { removal, restoration } = lifecycle(tag)

export const removeTag = (db: Database, key: TagKey, ifMatch: string | null) => db.write(removal(key, ifMatch))

export const restoreTag = (db: Database, key: TagKey) => tag.save(db, restoration(key))

const target = sql`${tag.visible} AND ${tags.id} = ${param('into')}`
const noTarget = guard<Values>(
  sql`'validation_failed:/into:No such tag in this product. Use the id of another of its tags.'`,
  sql`${param('into')} = ${param('tagId')} OR NOT EXISTS (SELECT 1 FROM ${tags} WHERE ${target})`,
)
const carried = sql`FROM ${feedbackTags} WHERE ${feedbackTags.subscriptionId} = ${caller.subscription}
  AND ${feedbackTags.tagId} = ${param('tagId')}`
const carry = statement<never, Values>(sql`INSERT OR IGNORE INTO ${feedbackTags} (subscription_id, feedback_id, tag_id)
  SELECT ${caller.subscription}, ${feedbackTags.feedbackId}, ${param('into')} ${carried}`)
const drop = statement<never, Values>(sql`DELETE ${carried}`)
const touch = statement<never, Values>(sql`UPDATE ${tags} SET version = version + 1, updated_at = ${caller.now}
  WHERE ${target}`)
const merged = tag.event('updated', target)
const kept = tag.answering(target)

export function mergeTag(db: Database, key: TagKey, into: number) {
  const given = { ...key, into }
  const { statements } = removal(key, null)
  return tag.save(db, {
    guards: [...tag.writable(key), noTarget(given)],
    statements: [carry(given), drop(given), touch(given), merged(given), ...statements],
    answer: kept(given),
  })
}
