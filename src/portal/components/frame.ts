import type { Texts } from '../texts/en'
import type { Formats } from '../texts/formats'
import type { Language } from '../texts/language'

export interface PortalStatus {
  slug: string
  name: string
  color: string | null
  endsVoting: boolean
  /** True for the progress `done`. */
  isDone: boolean
}

export interface PortalCategory {
  slug: string
  name: string
}

export interface Portal {
  slug: string
  name: string
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
}

export interface Visitor {
  name: string
}

/** Everything that all pages of one request share. */
export interface Frame {
  portal: Portal
  visitor: Visitor | null
  language: Language
  texts: Texts
  formats: Formats
  /** Origin of the service, like `https://groundwork.example.com`. */
  origin: string
  /** Path and query of the page below the portal, like `/roadmap`; empty for the board. */
  path: string
}

/** Path of the portal in a language; the default language has no segment. */
export const baseOf = ({ portal, language }: Pick<Frame, 'language'> & { portal: { slug: string } }): string =>
  `/p/${encodeURIComponent(portal.slug)}${language === 'en' ? '' : `/${language}`}`

export const pathOf = (frame: Frame, path: string): string => `${baseOf(frame)}${path}` || '/'

export function withQuery(path: string, query: Record<string, string | readonly string[] | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one) search.append(name, one)
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}
