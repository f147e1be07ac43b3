import type { Context } from 'hono'
import type { AppEnv } from './response'

/** Addresses of the scripts of the service. Nothing that somebody uploads has such an address. */
const SCRIPT_PATHS = { pages: '/assets/', docs: '/docs/pages.js', start: '/start.js' }

/**
 * A page takes scripts from an address of the service's own scripts alone, styles and pictures from its origin, and stands
 * in no frame. A path needs a host in front, so the policy names the origin of the page.
 */
export const makePagePolicy = (c: Context<AppEnv>, scripts: keyof typeof SCRIPT_PATHS = 'pages'): string =>
  [
    "default-src 'none'",
    `script-src ${new URL(c.req.url).origin}${SCRIPT_PATHS[scripts]}`,
    ...["style-src 'self'", "img-src 'self'", "connect-src 'self'"],
    // The script of the start page reads its form.
    `form-action ${scripts === 'start' ? "'none'" : "'self'"}`,
    ...["worker-src 'none'", "object-src 'none'", "frame-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"],
  ].join('; ')
