import { type Me, maySee } from '../api/me'
import type { IconName } from '../parts/icon'
import { texts } from '../texts/texts'

interface NavigationLink {
  path: string
  icon: IconName
  label: string
  /** The paths that belong to it, if not its own path alone. */
  at?: readonly string[]
  /** Without the scope the link is not shown. */
  scope?: string
}

interface NavigationGroup {
  title?: string
  links: readonly NavigationLink[]
}

/** The screens in the order of the sidebar. */
const listScreens = (): readonly NavigationGroup[] => [
  { links: [{ path: '/ideas', icon: 'inbox', label: texts.ideas }] },
  {
    title: texts.planGroup,
    links: [
      { path: '/backlog', icon: 'tree', label: texts.backlog },
      { path: '/board', icon: 'columns', label: texts.board },
      { path: '/story-map', icon: 'map', label: texts.storyMap },
      { path: '/versions', icon: 'release', label: texts.versions },
      { path: '/changelog', icon: 'news', label: texts.changelog },
    ],
  },
  {
    title: texts.learnGroup,
    links: [
      { path: '/kpis', icon: 'chart', label: texts.kpis },
      { path: '/personas', icon: 'persona', label: texts.personas },
      { path: '/experiments', icon: 'experiment', label: texts.experiments },
      { path: '/documents', icon: 'file', label: texts.documents },
    ],
  },
  {
    title: texts.reachGroup,
    links: [
      { path: '/segments', icon: 'segment', label: texts.segments },
      { path: '/people', icon: 'audience', label: texts.people },
      { path: '/mailings', icon: 'mail', label: texts.mailings, scope: 'mail:read' },
      { path: '/suppressions', icon: 'ban', label: texts.suppressions, scope: 'mail:read' },
    ],
  },
  {
    title: texts.workspaceGroup,
    links: [
      { path: '/imports', icon: 'upload', label: texts.imports.title },
      { path: '/webhooks', icon: 'webhook', label: texts.webhooks, scope: 'webhooks:read' },
      { path: '/events', icon: 'history', label: texts.events, scope: 'events:read' },
      { path: '/settings/people', icon: 'settings', label: texts.settings, at: ['/settings'] },
    ],
  },
]

/** The screens that the person may see. */
export const listNavigation = (me: Me): readonly NavigationGroup[] =>
  listScreens().map(({ links, ...group }) => ({ ...group, links: links.filter(({ scope }) => maySee(me, scope)) }))

/** Whether the page is one of the paths, or below one of them. */
export const isWithin = (page: string, paths: readonly string[]): boolean =>
  paths.some((path) => page === path || page.startsWith(`${path}/`))
