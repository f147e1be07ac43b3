import type { Context } from 'hono'
import { type Database, openDatabase } from '../../db/client/client'
import { readQuotas } from '../../db/client/quota'
import { identifyPortalCaller } from '../../http/portal-caller'
import { type AppEnv, exchangeOf } from '../../http/response'
import { getPortal } from '../api/queries/portal'
import { type Frame, type Portal, withQuery } from '../components/frame'
import { createFormats } from '../texts/formats'
import { type Language, textsOf } from '../texts/language'
import { joinReads } from './joined-reads'

export interface OpenPortal {
  db: Database
  now: number
  slug: string
  /** Null for an address without a language. */
  language: Language | null
  /** Path of the portal in the address of the request. */
  base: string
  /** True for a reader whom nobody knows. */
  isVisitor: boolean
}

export async function openPortal(c: Context<AppEnv>, language: Language | null): Promise<OpenPortal> {
  const slug = c.req.param('portal') ?? ''
  const now = Date.now()
  const { actor, portal } = await identifyPortalCaller(c, slug, now)
  c.set('workspace', actor.subscriptionId)
  const db = openDatabase({
    ...{ d1: c.env.DB, actor, now, exchange: exchangeOf(c), portal, quotas: readQuotas(c.env) },
    bookmark: undefined,
  })
  const base = `/p/${encodeURIComponent(slug)}${language ? `/${language}` : ''}`
  return { db: joinReads(db), now, slug, language, base, isVisitor: portal.isVisitor }
}

/** A cover of an idea is found by the key of the idea. */
export const fileAddressOf = (slug: string, id: number, ideaKey = ''): string =>
  withQuery(`/api/v2/portal/${encodeURIComponent(slug)}/files/${id}`, { idea: ideaKey })

/** Starts the reads of the frame, which join the batch of the page. */
export async function readFrame(c: Context<AppEnv>, { db, now, slug, base, ...opened }: OpenPortal): Promise<Frame> {
  const portal = await getPortal(db)
  const language = opened.language ?? portal.locale
  const url = new URL(c.req.url)
  const origin = c.env.PUBLIC_URL || url.origin
  const logoOf = (id: number | null) => (id === null ? null : fileAddressOf(slug, id))
  const shown: Portal = {
    ...{ slug, name: portal.name, locale: portal.locale, accent: portal.accent, mode: portal.mode },
    ...{ isPrivate: portal.visibility === 'private', hasRoadmap: portal.roadmap, hasChangelog: portal.changelog },
    ...{ logoUrl: logoOf(portal.logo), darkLogoUrl: logoOf(portal.darkLogo), categories: portal.categories },
    statuses: portal.statuses.map(({ id, name, color, endsVoting, progress }) => ({
      ...{ id, name, color, endsVoting: endsVoting === 1, isDone: progress === 'done' },
    })),
  }
  return {
    ...{
      portal: shown,
      visitor: null,
      signInPath: null,
      language,
      texts: textsOf(language),
      formats: createFormats(language, now),
    },
    ...{ origin, path: url.pathname.slice(base.length) + url.search },
  }
}
