import type { Context } from 'hono'
import { openStore } from '../../db/client'
import { type AppEnv, exchangeOf } from '../../http/answer'
import { verifyUnsubscription } from '../../http/token'
import { unsubscribe as stopMail } from './queries'

/**
 * `GET|POST /unsubscribe/{token}`, without a key: the signed token in the link is the permission. POST acts (RFC 8058:
 * mail programs post by themselves), GET only asks, because mail scanners open every link.
 */
export async function unsubscribe(c: Context<AppEnv>): Promise<Response> {
  const link = await verifyUnsubscription(c.env.SIGNING_SECRETS, c.req.param('token') ?? '')
  if (!link) return page(404, 'This link does not work', 'It is incomplete or no longer valid. Use a newer e-mail.')
  if (c.req.method !== 'POST') {
    return page(
      200,
      'Unsubscribe',
      `Shall ${link.email} get no more of these e-mails?`,
      '<form method="post"><button>Unsubscribe</button></form>',
    )
  }
  await stopMail(openStore(c.env.DB, Date.now(), exchangeOf(c)), link)
  return page(200, 'Unsubscribed', `${link.email} gets no more of these e-mails.`)
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

/** `title` and `sentence` are text, `form` is HTML. */
function page(status: number, title: string, sentence: string, form = ''): Response {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${escaped(title)}</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; color: #1c2430; background: #fff; }
      button { font: inherit; padding: 0.6rem 1.2rem; border: 0; border-radius: 6px; color: #fff; background: #1f5fbf; cursor: pointer; }
      button:focus-visible { outline: 3px solid #9cc2ff; outline-offset: 2px; }
      @media (prefers-color-scheme: dark) { body { color: #e6eaf0; background: #14181f; } }
    </style>
  </head>
  <body>
    <h1>${escaped(title)}</h1>
    <p>${escaped(sentence)}</p>
    ${form}
  </body>
</html>
`
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  })
}
