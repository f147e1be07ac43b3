import type { ComponentType, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { outlastFault } from '../api/connection'
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

const RELOADED = 'console-reloaded'

/** A browser does not fetch a failed module again in the same page. A second failure stays, with its button. */
function reloadOnce(path: string): void {
  if (sessionStorage.getItem(RELOADED) === path) return
  sessionStorage.setItem(RELOADED, path)
  location.reload()
}

interface FoundScreen {
  screen: ScreenPart | undefined
  /** Why the screen did not load. */
  error: unknown
  retry: () => void
  params: readonly string[]
  isMissing: boolean
}

export function useScreen(path: string): FoundScreen {
  const [loaded, setLoaded] = useState<{ load: unknown; screen?: ScreenPart; error?: unknown }>()
  const [pattern, load] = SCREENS.find(([pattern]) => pattern.test(path)) ?? []
  const wanted = useRef(load)
  wanted.current = load
  const isWanted = () => wanted.current === load
  useEffect(() => {
    load?.().then(
      ({ default: screen }) => {
        sessionStorage.removeItem(RELOADED)
        if (isWanted()) setLoaded({ load, screen })
      },
      (error: unknown) => {
        if (!isWanted()) return
        setLoaded({ load, error })
        void outlastFault().then(() => isWanted() && reloadOnce(path))
      },
    )
  }, [load])
  const current = loaded?.load === load ? loaded : undefined
  return {
    ...{ screen: current?.screen, error: current?.error, retry: () => location.reload() },
    params: pattern?.exec(path)?.slice(1).map(decodeURIComponent) ?? [],
    isMissing: !load,
  }
}
