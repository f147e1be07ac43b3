import type { Context } from 'hono'
import * as z from 'zod'
import { makeLazy } from '../db/sql/statement'
import { contentEtag, matchesEtag, versionEtag } from './etag'
import { itemSchemaOf, pickFields } from './field-selection'
import type { AnyOperation, HandlerReply } from './operation'
import { makeProjection } from './projection'
import { type AppEnv, exchangeOf, makeCommonHeaders } from './response'

interface ReplyRequest {
  params: unknown
  query: unknown
  readonly origin: string
}

export function makeResponder(op: AnyOperation) {
  const project = makeLazy(() => makeProjection(op.data ?? z.unknown()))
  const item = itemSchemaOf(op)
  const projectSome = makeLazy(() => makeProjection(item ? z.array(item.partial()) : z.unknown()))
  return (c: Context<AppEnv>, reply: Partial<HandlerReply<unknown>>, asked: ReplyRequest): Response => {
    const { fields } = (asked.query ?? {}) as { fields?: string }
    const { data: given = {}, message = op.message, version } = reply
    const data =
      item && fields !== undefined
        ? pickFields(projectSome()(given) as Record<string, unknown>[], fields)
        : project()(given)
    const body = JSON.stringify(message === undefined ? { success: true, data } : { success: true, message, data })
    const headers = makeCommonHeaders(c)
    if (version !== undefined && (op.method === 'get' || op.conditional)) {
      headers.ETag = op.method === 'get' ? contentEtag(version, body) : versionEtag(version)
      if (op.method === 'get' && matchesEtag(c.req.header('if-none-match'), headers.ETag)) {
        return new Response(null, { status: 304, headers })
      }
    }
    headers['Content-Type'] = 'application/json'
    const location =
      reply.location ?? (op.location && fillPathTemplate(op.location, { ...Object(asked.params), ...Object(given) }))
    if (location) headers.Location = location
    if (reply.next) headers.Link = nextPageLink(reply.next, c.req.url, asked.origin)
    if (reply.next?.cursor) headers['x-next-cursor'] = reply.next.cursor
    if (reply.total !== undefined) headers['X-Total-Count'] = reply.total
    if (reply.cookie !== undefined) headers['Set-Cookie'] = reply.cookie
    const ignored = c.get('ignoredMembers')
    if (ignored?.length) headers['x-ignored-members'] = ignored.map(escapePointer).join(', ')
    if (exchangeOf(c).replayed) headers['Idempotent-Replayed'] = 'true'
    return new Response(body, { status: reply.status ?? op.status ?? 200, headers })
  }
}

/** Percent escapes for all but visible ASCII characters, the comma and the percent sign. */
const escapePointer = (pointer: string) => pointer.replace(/[^\x21-\x7e]|[%,]/gu, encodeURIComponent)

const fillPathTemplate = (path: string, members: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(members[name]))

function nextPageLink(next: Record<string, string>, url: string, origin: string): string {
  const { pathname, searchParams } = new URL(url)
  searchParams.delete('count')
  for (const [name, value] of Object.entries(next)) searchParams.set(name, value)
  return `<${origin}${pathname}?${searchParams}>; rel="next"`
}
