import { html } from 'hono/html'
import assets from './page-assets.json'

interface HtmlPage {
  status?: number
  title: string
  sentence: string
  form?: ReturnType<typeof html> | undefined
}

/** All texts are escaped. */
export async function renderHtmlPage({ status = 200, title, sentence, form }: HtmlPage): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/favicon.ico">
    <link rel="stylesheet" href="${assets['base.css']}">
    <link rel="stylesheet" href="${assets['portal.css']}">
  </head>
  <body>
    <main class="page plain">
    <div class="card stack">
    <h1>${title}</h1>
    <p>${sentence}</p>
    ${form}
    </div>
    </main>
  </body>
</html>
`
  return new Response(text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  })
}
