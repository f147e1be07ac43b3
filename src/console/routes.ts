import { Hono } from 'hono'
import { html } from 'hono/html'
import { readPortalOrigin } from '../env'
import assets from '../http/page-assets.json'
import { makePagePolicy } from '../http/page-policy'
import { type AppEnv, handlePlainRoute } from '../http/response'

const makePage = (portalOrigin: string) => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Groundwork</title>
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/favicon.ico">
    <link rel="stylesheet" href="${assets['base.css']}">
    <link rel="stylesheet" href="${assets['console.css']}">
    <script src="${assets['theme.js']}"></script>
    <script type="module" src="${assets['console.js']}"></script>
  </head>
  <body data-density="compact" data-portal-origin="${portalOrigin}">
    <div id="console"></div>
    <noscript><p>The console needs scripts. The portal and the API work without them.</p></noscript>
  </body>
</html>
`

/** One page for every address of the console: its script reads the address. It holds no data of a workspace. */
export const consoleRoutes = new Hono<AppEnv>().get('/*', handlePlainRoute, async (c) =>
  c.body(String(await makePage(readPortalOrigin(c.env) ?? '')), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=0, must-revalidate',
      'Referrer-Policy': 'same-origin',
      'Content-Security-Policy': makePagePolicy(c),
    },
  }),
)
