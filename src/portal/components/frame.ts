import type { Texts } from '../texts/en'
import type { Formats } from '../texts/formats'
import type { Language } from '../texts/language'

export interface PortalStatus {
  id: number
  name: string
  color: string | null
  endsVoting: boolean
  /** True for the progress `done`. */
  isDone: boolean
}

export interface PortalCategory {
  id: number
  name: string
}

export interface Portal {
  slug: string
  /** Path of the portal at the host of the request; empty at its own host. */
  root: string
  /** Own host, if it is verified. */
  domain: string | null
  name: string
  /** Language of the addresses without a language. */
  locale: Language
  accent: string | null
  mode: 'system' | 'light' | 'dark'
  isPrivate: boolean
  hasRoadmap: boolean
  hasChangelog: boolean
  logoUrl: string | null
  darkLogoUrl: string | null
  /** In their order, public statuses only. */
  statuses: readonly PortalStatus[]
  categories: readonly PortalCategory[]
  products: readonly PortalProduct[]
}

export interface PortalProduct {
  key: string
  name: string
}

/** The person who signed in, for the person alone. */
export interface Visitor {
  /** The address of a person without a name. */
  name: string
  firstName: string
  lastName: string
  email: string
  followsChangelog: boolean
}

/** Everything that all pages of one request share. */
export interface Frame {
  portal: Portal
  visitor: Visitor | null
  /** Path of the sign-in; null for a page outside a portal. */
  signInPath: string | null
  language: Language
  texts: Texts
  formats: Formats
  /** Origin of the request, like `https://groundwork.example.com`. */
  origin: string
  /** Path and query of the page below the portal, like `/roadmap`; empty for the board. */
  path: string
}

/** Path of the portal; its own language has no segment. Empty for a page outside a portal. */
export const baseOf = ({ portal, language }: { portal: Pick<Portal, 'root' | 'locale'>; language: Language }): string =>
  `${portal.root}${language === portal.locale ? '' : `/${language}`}`

/** The path begins with a slash, also at the own host of a portal. */
export const withSlash = (path: string): string => (path.startsWith('/') ? path : `/${path}`)

export const pathOf = (frame: Frame, path: string): string => withSlash(`${baseOf(frame)}${path}`)

/** Origin that search engines and mail know the portal by. */
export const publicOriginOf = ({ portal, origin }: Pick<Frame, 'portal' | 'origin'>): string =>
  portal.domain === null ? origin : `https://${portal.domain}`

/** Address that search engines and mail know a page by. */
export function publicAddressOf(
  { portal, origin }: Pick<Frame, 'portal' | 'origin'>,
  { language, path }: Pick<Frame, 'language' | 'path'>,
): string {
  const root = portal.domain === null ? portal.root : ''
  return publicOriginOf({ portal, origin }) + withSlash(baseOf({ portal: { ...portal, root }, language }) + path)
}

/** Address of the feed of the changelog. */
export const feedPathOf = ({ portal }: Pick<Frame, 'portal'>, format: 'atom' | 'json'): string =>
  `/api/v2/portal/${encodeURIComponent(portal.slug)}/changelog.${format}`

export const findStatus = ({ portal }: Pick<Frame, 'portal'>, id: number | null): PortalStatus | undefined =>
  portal.statuses.find((status) => status.id === id)

export const nameOfCategory = ({ portal }: Pick<Frame, 'portal'>, id: number | null): string | undefined =>
  portal.categories.find((category) => category.id === id)?.name

/** A portal without products takes no ideas. */
export const acceptsIdeas = ({ portal }: Pick<Frame, 'portal'>): boolean => portal.products.length > 0

export const signInPathOf = ({ signInPath }: Frame, returnTo: string): string =>
  withQuery(signInPath ?? '/', { return: returnTo })

/** Leaves out empty values. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.append(name, String(value))
  const text = search.toString()
  return text ? `${path}?${text}` : path
}
