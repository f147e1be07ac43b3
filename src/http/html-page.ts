import { html } from 'hono/html'

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
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; overflow-wrap: anywhere; color: #1c2430; background: #fff; }
      a { color: inherit; }
      fieldset { border: 0; padding: 0; margin: 1.5rem 0; line-height: 2; }
      button { font: inherit; padding: 0.6rem 1.2rem; border: 0; border-radius: 6px; color: #fff; background: #1f5fbf; cursor: pointer; }
      button:focus-visible { outline: 3px solid #1c2430; outline-offset: 2px; }
      @media (prefers-color-scheme: dark) { body { color: #e6eaf0; background: #14181f; } button:focus-visible { outline-color: #e6eaf0; } }
    </style>
  </head>
  <body>
    <main>
    <h1>${title}</h1>
    <p>${sentence}</p>
    ${form}
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
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
  })
}
