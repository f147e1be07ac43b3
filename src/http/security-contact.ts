import type { Context } from 'hono'
import { toIso } from '../text/moments'
import type { AppEnv } from './response'

const VALID_MS = 180 * 86_400_000

/** Contact for reports of vulnerabilities (RFC 9116): the address that sends the mail of the service. */
export function serveSecurityContact(c: Context<AppEnv>): Response {
  const address = /[^<\s]+@[^>\s]+/.exec(c.env.MAIL_FROM ?? '')?.[0] ?? 'groundwork@localhost'
  const expires = toIso(Date.now() + VALID_MS)
  const text = `Contact: mailto:${encodeURI(address)}\nExpires: ${expires}\nPreferred-Languages: en\n`
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=86400' },
  })
}
