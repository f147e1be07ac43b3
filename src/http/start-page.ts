import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { html } from 'hono/html'
import type { ApiError } from '../text/errors'
import { renderHtmlPage } from './html-page'
import { makePagePolicy } from './page-policy'
import { type AppEnv, addCommonHeaders, makeFailureResponse } from './response'

const LINKS = {
  reference: '/docs',
  guides: '/docs/guides',
  openapi: '/openapi.json',
  health: '/health',
}

const prefersHtml = (c: Context) =>
  accepts(c, { header: 'Accept', supports: ['application/json', 'text/html'], default: 'application/json' }) ===
  'text/html'

/** HTML for browsers, JSON for programs. */
export function serveStartPage(c: Context<AppEnv>): Response | Promise<Response> {
  if (prefersHtml(c)) return renderStartPage(c)
  const message = `This is Groundwork, a product-management service. ${LINKS.reference} lists all operations.`
  return Response.json({ success: true, message, data: LINKS }, { headers: { Vary: 'Accept' } })
}

/** A missing page for browsers, the failure as JSON for programs. */
export async function makeMissingResponse(c: Context<AppEnv>, error: ApiError): Promise<Response> {
  if (error.status !== 404 || !prefersHtml(c)) return makeFailureResponse(c, error)
  const page = await renderHtmlPage({
    status: 404,
    title: 'There is no page here',
    sentence: error.message,
    form: html`<p><a href="/">Start page</a>, <a href="${LINKS.reference}">reference</a>, <a href="${LINKS.guides}">guides</a></p>`,
  })
  page.headers.set('Vary', 'Accept')
  return addCommonHeaders(c, page)
}

async function renderStartPage(c: Context<AppEnv>): Promise<Response> {
  const { origin } = new URL(c.req.url)
  const text = await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="A product-management service over HTTP.">
    <title>Groundwork</title>
    <link rel="icon" href="/favicon.ico">
    <link rel="stylesheet" href="/docs/style.css">
    <script src="/start.js" defer></script>
  </head>
  <body>
    <main class="start">
      <h1>Groundwork</h1>
      <p>A product-management service over HTTP: backlog, feedback, segments and their mail, KPIs, personas and discovery,
        and imports, events and webhooks that connect them.</p>
      <p><a href="/docs/guides/getting-started">Getting started</a> · <a href="${LINKS.reference}">Reference</a> · <a href="${LINKS.guides}">Guides</a> ·
        <a href="${LINKS.openapi}">OpenAPI document</a> · <a href="${LINKS.health}">Health</a></p>
      <p role="status" id="health"></p>
      <h2>First call</h2>
      <pre tabindex="0" role="region" aria-label="Call with curl"><code>curl ${origin}/api/v2/me -H "Authorization: Bearer $API_KEY"</code></pre>
      <form hidden>
        <label for="key">Or paste an API key. It stays in this tab.</label>
        <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required>
        <button>Call GET /api/v2/me</button>
      </form>
      <p role="status" id="result"></p>
    </main>
  </body>
</html>
`
  return new Response(text, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'Referrer-Policy': 'no-referrer',
      Vary: 'Accept',
      'Content-Security-Policy': makePagePolicy(c, 'start'),
    },
  })
}
