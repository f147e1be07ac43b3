import type { Context } from 'hono'
import { type Database, openDatabase } from '../../db/client/client'
import type { DatabaseOptions } from '../../db/client/options'
import { readQuotas } from '../../db/client/quota'
import { ANY_STORAGE_GUARD, readDatabaseBytes } from '../../db/client/storage'
import type { Actor } from '../../db/sql/actor'
import { readPortalOrigin } from '../../env'
import { requireScope } from '../../http/auth'
import { openDatabaseOfHome } from '../../http/home'
import { ownHostOf, pagesRootOf } from '../../http/own-host'
import { identifyPortalCaller } from '../../http/portal-caller'
import { limitCallerRate } from '../../http/rate'
import { type AppEnv, exchangeOf } from '../../http/response'
import { refuseOtherSites } from '../../http/session-cookie'
import { showAddress } from '../../text/shown-addresses'
import { getPortal } from '../api/queries/portal'
import { getVisitor } from '../api/queries/visitor'
import { type Frame, type Portal, type Visitor, withQuery } from '../components/frame'
import { createFormats } from '../texts/formats'
import { type Language, textsOf } from '../texts/language'
import { joinReads } from './joined-reads'

export interface OpenPortal {
  db: Database
  actor: Actor
  now: number
  slug: string
  /** Null for an address without a language. */
  language: Language | null
  /** Path of the portal in the address of the request. */
  base: string
  /** True for a reader whom nobody knows. */
  isVisitor: boolean
  /** True for a person who signed in with this browser. */
  hasSession: boolean
  renewsCookie: boolean
}

/** Path of the portal at the host of the request; empty at the own host of the portal. */
export const rootOf = (c: Context<AppEnv>, slug: string): string =>
  ownHostOf(c) === undefined ? pagesRootOf(slug) : ''

/** Path of the page as the reader sees it. */
export function shownPathOf(c: Context<AppEnv>): string {
  const { pathname } = new URL(c.req.url)
  return ownHostOf(c) === undefined ? pathname : pathname.slice(pagesRootOf(c.req.param('portal') ?? '').length) || '/'
}

const languagePathOf = (language: Language | null) => (language ? `/${language}` : '')

interface PersonOfPortal {
  slug: string
  actor: Actor
  now: number
}

const makeDatabaseOptions = (
  c: Context<AppEnv>,
  { slug, actor, now }: PersonOfPortal,
): Omit<DatabaseOptions, 'd1'> => ({
  ...{
    actor,
    now,
    exchange: exchangeOf(c),
    portal: { slug, host: ownHostOf(c), isVisitor: actor.userId === 0 },
  },
  ...{ quotas: readQuotas(c.env), databaseBytes: readDatabaseBytes(c.env), growth: ANY_STORAGE_GUARD },
  ...{ origin: { hops: 0, via: 'portal', id: null }, bookmark: undefined },
})

/** The database of a person in a portal. Events of writes name the portal as their origin. */
export const openPortalDatabase = (c: Context<AppEnv>, slug: string, actor: Actor, now: number): Database =>
  openDatabaseOfHome(c.env, makeDatabaseOptions(c, { slug, actor, now }))

/** The same database, without following a workspace that moves. */
export const openPortalDatabaseIn = (c: Context<AppEnv>, d1: D1Database, person: PersonOfPortal): Database =>
  openDatabase({ ...makeDatabaseOptions(c, person), d1 })

/** A form of a page comes from this service. An API key needs the scope of the operation that does the same. */
export async function openPortal(c: Context<AppEnv>, language: Language | null, units = 1): Promise<OpenPortal> {
  const slug = c.req.param('portal') ?? ''
  const now = Date.now()
  const isWrite = c.req.method === 'POST'
  const { actor, portal, renewsCookie } = await identifyPortalCaller(c, slug, now)
  const { isVisitor } = portal
  const hasSession = !isVisitor && actor.kind === 'session'
  if (isVisitor || hasSession) refuseOtherSites(c)
  else requireScope(actor, isWrite ? 'feedback:write' : 'feedback:read')
  c.set('workspace', actor.subscriptionId)
  if (!isVisitor) await limitCallerRate(c.env, actor, { units, bulk: false, now })
  const base = rootOf(c, slug) + languagePathOf(language)
  const db = joinReads(openPortalDatabase(c, slug, actor, now))
  return { db, actor, now, slug, language, base, isVisitor, hasSession, renewsCookie }
}

/** A cover of an idea is found by the key of the idea. */
export const fileAddressOf = (slug: string, id: number, ideaKey = ''): string =>
  withQuery(`/api/v2/portal/${encodeURIComponent(slug)}/files/${id}`, { idea: ideaKey })

async function readVisitor({ db, isVisitor }: OpenPortal): Promise<Visitor | null> {
  const person = isVisitor ? undefined : await getVisitor(db)
  if (!person) return null
  const { id, ...visitor } = person
  return { ...visitor, name: `${visitor.firstName} ${visitor.lastName}`.trim() || showAddress(visitor.email) }
}

function readPage(c: Context<AppEnv>, { now, base, slug, ...opened }: OpenPortal, locale: Language) {
  const language = opened.language ?? locale
  const { origin, pathname, search } = new URL(c.req.url)
  const pagePath = pathname.slice(pagesRootOf(slug).length + languagePathOf(opened.language).length)
  return {
    ...{ language, texts: textsOf(language), formats: createFormats(language, now), signInPath: `${base}/sign-in` },
    ...{ origin: ownHostOf(c) === undefined ? readPortalOrigin(c.env) || c.env.PUBLIC_URL || origin : origin },
    path: pagePath + search,
  }
}

/** Starts the reads of the frame, which join the batch of the page. */
export async function readFrame(c: Context<AppEnv>, opened: OpenPortal): Promise<Frame> {
  const { db, slug } = opened
  const [portal, visitor] = await Promise.all([getPortal(db), readVisitor(opened)])
  const logoOf = (id: number | null) => (id === null ? null : fileAddressOf(slug, id))
  const shown: Portal = {
    ...{ slug, root: rootOf(c, slug), domain: portal.domain },
    ...{ name: portal.name, locale: portal.locale, accent: portal.accent, mode: portal.mode },
    ...{ isPrivate: portal.visibility === 'private', hasRoadmap: portal.roadmap, hasChangelog: portal.changelog },
    ...{ logoUrl: logoOf(portal.logo), darkLogoUrl: logoOf(portal.darkLogo), categories: portal.categories },
    products: portal.products,
    statuses: portal.statuses.map(({ id, name, color, endsVoting, progress }) => ({
      ...{ id, name, color, endsVoting: endsVoting === 1, isDone: progress === 'done' },
    })),
  }
  return { portal: shown, visitor, ...readPage(c, opened, portal.locale) }
}

/** For a reader who may not see the portal: only the name in its address. */
export function createClosedFrame(c: Context<AppEnv>, opened: OpenPortal): Frame {
  const { slug } = opened
  const portal: Portal = {
    ...{ slug, root: rootOf(c, slug), domain: null },
    ...{ name: slug, locale: 'en', accent: null, mode: 'system', isPrivate: true },
    ...{ hasRoadmap: false, hasChangelog: false, logoUrl: null, darkLogoUrl: null },
    ...{ statuses: [], categories: [], products: [] },
  }
  return { portal, visitor: null, ...readPage(c, opened, 'en') }
}
