import type { ComponentType, RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Me } from '../api/me'

export interface ScreenProps {
  me: Me
  /** The variable parts of the path. */
  params: readonly string[]
  /** The main element, which gets the focus when the place changes. */
  main: RefObject<HTMLElement | null>
}
export type ScreenPart = ComponentType<ScreenProps>

/** Each screen loads when it is shown first. */
const SCREENS: readonly (readonly [RegExp, () => Promise<{ default: ScreenPart }>])[] = [
  [/^\/$/, () => import('./home/home')],
  [/^\/imports$/, () => import('./imports/list')],
  [/^\/imports\/new$/, () => import('./imports/wizard')],
  [/^\/imports\/(\d+)$/, () => import('./imports/run')],
  [/^\/ideas$/, () => import('./ideas/ideas')],
  [/^\/backlog$/, () => import('./backlog/backlog')],
  [/^\/backlog\/([A-Z]+-\d+)$/, () => import('./item/item')],
  [/^\/board$/, () => import('./board/board')],
  [/^\/versions$/, () => import('./versions/versions')],
  [/^\/documents$/, () => import('./documents/documents')],
  [/^\/documents\/templates$/, () => import('./documents/templates')],
  [/^\/changelog$/, () => import('./changelog/changelog')],
  [/^\/experiments$/, () => import('./experiments/experiments')],
  [/^\/personas$/, () => import('./personas/personas')],
  [/^\/kpis$/, () => import('./kpis/kpis')],
  [/^\/story-map$/, () => import('./story-map/story-map')],
  [/^\/segments$/, () => import('./segments/segments')],
  [/^\/segments\/(new|\d+)$/, () => import('./segments/segment')],
  [/^\/people$/, () => import('./people/people')],
  [/^\/mailings$/, () => import('./mailings/mailings')],
  [/^\/mailings\/new$/, () => import('./mailings/compose')],
  [/^\/suppressions$/, () => import('./suppressions/suppressions')],
  [/^\/settings(?:\/people)?$/, () => import('./settings/people')],
  [/^\/settings\/keys$/, () => import('./settings/keys')],
  [/^\/settings\/mail$/, () => import('./mail-texts/mail-texts')],
  [/^\/settings\/sign-in$/, () => import('./sign-in-settings/sign-in-settings')],
  [/^\/settings\/data$/, () => import('./data/data')],
  [/^\/settings\/workspace$/, () => import('./workspace/workspace')],
  [/^\/settings\/teams$/, () => import('./teams/teams')],
  [/^\/settings\/teams\/(\d+)$/, () => import('./teams/team')],
  [/^\/settings\/portal$/, () => import('./portal-settings/portal-settings')],
  [/^\/settings\/sessions$/, () => import('./settings/sessions')],
  [/^\/webhooks$/, () => import('./webhooks/webhooks')],
  [/^\/webhooks\/incoming$/, () => import('./incoming/incoming')],
  [/^\/removed$/, () => import('./removed/removed')],
  [/^\/events$/, () => import('./events/events')],
  [/^\/records\/([a-z_]+)\/([^/]+)$/, () => import('./record/record')],
]

interface FoundScreen {
  screen: ScreenPart | undefined
  params: readonly string[]
  isMissing: boolean
}

export function useScreen(path: string): FoundScreen {
  const [loaded, setLoaded] = useState<{ load: unknown; screen: ScreenPart }>()
  const [pattern, load] = SCREENS.find(([pattern]) => pattern.test(path)) ?? []
  useEffect(() => {
    void load?.().then(({ default: screen }) => setLoaded({ load, screen }))
  }, [load])
  return {
    screen: loaded && loaded.load === load ? loaded.screen : undefined,
    params: pattern?.exec(path)?.slice(1).map(decodeURIComponent) ?? [],
    isMissing: !load,
  }
}
