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
  /** Letters that lead there, such as `g i`. */
  keys?: string
}

interface NavigationGroup {
  title?: string
  links: readonly NavigationLink[]
}

/** The screens in the order of the sidebar. */
const listScreens = (): readonly NavigationGroup[] => [
  { links: [{ path: '/ideas', icon: 'inbox', label: texts.ideas, keys: 'g i' }] },
  {
    title: texts.planGroup,
    links: [
      { path: '/backlog', icon: 'tree', label: texts.backlog, keys: 'g b' },
      { path: '/board', icon: 'columns', label: texts.board, keys: 'g o' },
      { path: '/story-map', icon: 'map', label: texts.storyMap, keys: 'g s' },
      { path: '/versions', icon: 'release', label: texts.versions, keys: 'g v' },
      { path: '/changelog', icon: 'news', label: texts.changelog, keys: 'g c' },
    ],
  },
  {
    title: texts.learnGroup,
    links: [
      { path: '/kpis', icon: 'chart', label: texts.kpis, keys: 'g k' },
      { path: '/personas', icon: 'persona', label: texts.personas, keys: 'g r' },
      { path: '/experiments', icon: 'experiment', label: texts.experiments, keys: 'g x' },
      { path: '/documents', icon: 'file', label: texts.documents, keys: 'g d' },
    ],
  },
  {
    title: texts.reachGroup,
    links: [
      { path: '/segments', icon: 'segment', label: texts.segments, keys: 'g e' },
      { path: '/people', icon: 'audience', label: texts.people, keys: 'g p' },
      { path: '/mailings', icon: 'mail', label: texts.mailings, keys: 'g l', scope: 'mail:read' },
      { path: '/suppressions', icon: 'ban', label: texts.suppressions, scope: 'mail:read' },
    ],
  },
  {
    title: texts.workspaceGroup,
    links: [
      { path: '/imports', icon: 'upload', label: texts.imports.title, keys: 'g m' },
      { path: '/webhooks', icon: 'webhook', label: texts.webhooks, scope: 'webhooks:read' },
      { path: '/events', icon: 'history', label: texts.events, scope: 'events:read' },
      { path: '/removed', icon: 'remove', label: texts.removed },
      { path: '/settings/people', icon: 'settings', label: texts.settings, at: ['/settings'] },
    ],
  },
]

/** The screens that the person may see. */
export const listNavigation = (me: Me): readonly NavigationGroup[] =>
  listScreens().map(({ links, ...group }) => ({ ...group, links: links.filter(({ scope }) => maySee(me, scope)) }))

export const listLinks = (me: Me): readonly NavigationLink[] => listNavigation(me).flatMap(({ links }) => links)

/** Whether the page is one of the paths, or below one of them. */
export const isWithin = (page: string, paths: readonly string[]): boolean =>
  paths.some((path) => page === path || page.startsWith(`${path}/`))
