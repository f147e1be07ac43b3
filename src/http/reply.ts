import type { Context } from 'hono'
import * as z from 'zod'
import { once } from '../db/statement'
import { type AppEnv, answerHeaders, exchangeOf } from './answer'
import { contentTag, isAmong, versionTag } from './etag'
import type { AnyOperation, Reply } from './operation'
import { projection } from './project'
import { itemOf, only } from './sparse'

interface Asked {
  params: unknown
  query: unknown
  readonly origin: string
}

export function responder(op: AnyOperation) {
  const project = once(() => projection(op.data ?? z.unknown()))
  const item = itemOf(op)
  const projectSome = once(() => projection(item ? z.array(item.partial()) : z.unknown()))
  return (c: Context<AppEnv>, reply: Partial<Reply<unknown>>, asked: Asked): Response => {
    const { fields } = (asked.query ?? {}) as { fields?: string }
    const { data: given = {}, message = op.message, version } = reply
    const data =
      item && fields !== undefined ? only(projectSome()(given) as Record<string, unknown>[], fields) : project()(given)
    const body = JSON.stringify(message === undefined ? { success: true, data } : { success: true, message, data })
    const headers = answerHeaders(c)
    if (version !== undefined && (op.method === 'get' || op.conditional)) {
      headers.ETag = op.method === 'get' ? contentTag(version, body) : versionTag(version)
      if (op.method === 'get' && isAmong(c.req.header('if-none-match'), headers.ETag)) {
        return new Response(null, { status: 304, headers })
      }
    }
    headers['Content-Type'] = 'application/json'
    const location =
      reply.location ?? (op.location && filled(op.location, { ...Object(asked.params), ...Object(given) }))
    if (location) headers.Location = location
    if (reply.next) headers.Link = linkTo(reply.next, c.req.url, asked.origin)
    if (exchangeOf(c).replayed) headers['Idempotent-Replayed'] = 'true'
    return new Response(body, { status: reply.status ?? op.status ?? 200, headers })
  }
}

const filled = (path: string, members: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(members[name]))

/** URL of the next page: this request's URL with the parameters of `next`. */
function linkTo(next: Record<string, string>, url: string, origin: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const [name, value] of Object.entries(next)) searchParams.set(name, value)
  return `<${origin}${pathname}?${searchParams}>; rel="next"`
}
