import type * as z from 'zod'
import type { Database } from '../../db/client/client'
import type { ExternalIdKey } from '../../db/records/external-id'
import type { RecordReply } from '../../db/records/record'
import type { HandlerInput } from '../../http/operation'
import type { Area } from '../../http/token'
import { type AuthoredComment, hideAuthorUnlessPermitted } from './author'
import { type SanitizedComment, sanitizeComment } from './sanitize'
import type { AddComment, ModifyComment, ReplyToComment, UpsertComment } from './schema'

interface CommentWriteQueries<H, K, C> {
  add(db: Database, key: H, comment: SanitizedComment<z.output<typeof AddComment>>): Promise<RecordReply<C>>
  reply(db: Database, key: K, comment: SanitizedComment<z.output<typeof ReplyToComment>>): Promise<RecordReply<C>>
  modify(
    db: Database,
    key: K,
    comment: SanitizedComment<z.output<typeof ModifyComment>>,
    ifMatch: string | null,
  ): Promise<RecordReply<C>>
  remove(db: Database, key: K, ifMatch: string | null): Promise<unknown>
  restore(db: Database, key: K): Promise<RecordReply<C>>
  upsert(
    db: Database,
    key: H & ExternalIdKey,
    comment: SanitizedComment<z.output<typeof UpsertComment>>,
  ): Promise<RecordReply<C> & { isNew: boolean }>
}

export const createCommentHandlers = <H, K, C extends AuthoredComment>(
  area: Area,
  comments: CommentWriteQueries<H, K, C>,
) => ({
  async add({ params, body, db }: HandlerInput<H, unknown, z.output<typeof AddComment>>) {
    const { data } = await comments.add(db, params, await sanitizeComment(body))
    return { data, message: 'Comment saved' }
  },
  async reply({ params, body, db }: HandlerInput<K, unknown, z.output<typeof ReplyToComment>>) {
    const { data } = await comments.reply(db, params, await sanitizeComment(body))
    return { data, message: 'Comment saved' }
  },
  async modify({ params, body, db, actor, ifMatch }: HandlerInput<K, unknown, z.output<typeof ModifyComment>>) {
    const { data, version } = await comments.modify(db, params, await sanitizeComment(body), ifMatch)
    return { data: hideAuthorUnlessPermitted(data, actor, area), version, message: 'Comment saved' }
  },
  async remove({ params, db, ifMatch }: HandlerInput<K, unknown, unknown>) {
    await comments.remove(db, params, ifMatch)
    return { data: {}, message: 'Comment removed' }
  },
  async restore({ params, db, actor }: HandlerInput<K, unknown, unknown>) {
    const { data, version } = await comments.restore(db, params)
    return { data: hideAuthorUnlessPermitted(data, actor, area), version, message: 'Comment restored' }
  },
  async upsert({ params, body, db, actor }: HandlerInput<H & ExternalIdKey, unknown, z.output<typeof UpsertComment>>) {
    const { author } = body
    const name = author?.email === undefined ? author?.name : undefined
    const { data, version, isNew } = await comments.upsert(db, params, await sanitizeComment(body, name))
    const reply = { data: hideAuthorUnlessPermitted(data, actor, area), version }
    return isNew ? reply : { ...reply, status: 200 as const }
  },
})
