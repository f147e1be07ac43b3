import { texts } from './texts/texts'

interface SettingsLink {
  path: string
  title: string
  /** Scope that the page reads with; undefined for every session. */
  scope: string | undefined
}

export const SETTINGS_PAGES: readonly SettingsLink[] = [
  { path: '/settings/workspace', title: texts.pages.workspace, scope: 'products:read' },
  { path: '/settings/people', title: texts.people.title, scope: 'products:read' },
  { path: '/settings/teams', title: texts.pages.teams, scope: 'products:read' },
  { path: '/settings/portal', title: texts.pages.portal, scope: 'products:read' },
  { path: '/settings/mail', title: texts.pages.mail, scope: 'products:read' },
  { path: '/settings/sign-in', title: texts.pages.signIn, scope: 'keys:read' },
  { path: '/settings/keys', title: texts.keys.title, scope: 'keys:read' },
  { path: '/settings/data', title: texts.pages.data, scope: 'segments:read' },
  { path: '/settings/sessions', title: texts.sessions.title, scope: undefined },
]
