import type * as z from 'zod'
import type { Database } from '../../db/client'
import type { Replied } from '../../db/record'
import type { Input } from '../../http/operation'
import type { Area } from '../../http/token'
import { type Read, read } from './read'
import type { AddComment, ModifyComment, ReplyToComment } from './schema'
import { type Named, withName } from './shown'

/** Writes of `commentsOn`: `H` is the key of the commented record, `K` the key of the comment. */
interface Comments<H, K, C> {
  add(db: Database, key: H, comment: Read<z.output<typeof AddComment>>): Promise<Replied<C>>
  reply(db: Database, key: K, comment: Read<z.output<typeof ReplyToComment>>): Promise<Replied<C>>
  modify(
    db: Database,
    key: K,
    comment: Read<z.output<typeof ModifyComment>>,
    ifMatch: string | null,
  ): Promise<Replied<C>>
  remove(db: Database, key: K, ifMatch: string | null): Promise<unknown>
  restore(db: Database, key: K): Promise<Replied<C>>
}

export const writesOf = <H, K, C extends Named, P>(
  area: Area,
  comments: Comments<H, K, C>,
  pathOf: (id: number, params: P) => string,
) => ({
  async add({ params, body, db }: Input<H & P, unknown, z.output<typeof AddComment>>) {
    const { data } = await comments.add(db, params, await read(body))
    return { data, message: 'Comment saved', location: pathOf(data.id, params) }
  },
  async reply({ params, body, db }: Input<K & P, unknown, z.output<typeof ReplyToComment>>) {
    const { data } = await comments.reply(db, params, await read(body))
    return { data, message: 'Comment saved', location: pathOf(data.id, params) }
  },
  async modify({ params, body, db, actor, ifMatch }: Input<K, unknown, z.output<typeof ModifyComment>>) {
    const { data, version } = await comments.modify(db, params, await read(body), ifMatch)
    return { data: withName(data, actor, area), version, message: 'Comment saved' }
  },
  async remove({ params, db, ifMatch }: Input<K, unknown, unknown>) {
    await comments.remove(db, params, ifMatch)
    return { data: {}, message: 'Comment removed' }
  },
  async restore({ params, db, actor }: Input<K, unknown, unknown>) {
    const { data, version } = await comments.restore(db, params)
    return { data: withName(data, actor, area), version, message: 'Comment restored' }
  },
})
