import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Me } from '../api/me'
import { isSessionEnded } from '../api/session-end'
import { Empty } from '../parts/empty'
import { Skeleton } from '../parts/skeleton'
import { type ScreenPart, useScreen } from '../screens/screens'
import { useKeys } from '../state/keys'
import { goTo, place } from '../state/place'
import { texts } from '../texts/texts'
import { Bar } from './bar'
import { KeyHelp } from './key-help'
import { Notices } from './notices'
import { Palette } from './palette'
import { Sidebar } from './sidebar'
import { SignInAgain } from './sign-in-again'
import { ToastArea } from './toast-area'

export function Shell({ me }: { me: Me }) {
  const [opened, open] = useState<'palette' | 'keys' | null>(null)
  const main = useRef<HTMLElement>(null)
  const { path } = place.value
  const { screen, params, isMissing } = useScreen(path)
  const close = () => open(null)

  useKeys(
    useMemo(
      () =>
        [
          { keys: 'mod+k', label: texts.keys.search, run: () => open('palette') },
          { keys: '?', label: texts.keys.help, run: () => open('keys') },
          { keys: 'g i', label: texts.keys.ideas, run: () => goTo('/ideas') },
          { keys: 'g b', label: texts.keys.backlog, run: () => goTo('/backlog') },
          { keys: 'g o', label: texts.keys.board, run: () => goTo('/board') },
          { keys: 'g k', label: texts.keys.kpis, run: () => goTo('/kpis') },
          { keys: 'g s', label: texts.keys.storyMap, run: () => goTo('/story-map') },
          { keys: 'g v', label: texts.keys.versions, run: () => goTo('/versions') },
          { keys: 'g e', label: texts.keys.segments, run: () => goTo('/segments') },
          { keys: 'g p', label: texts.keys.people, run: () => goTo('/people') },
          { keys: 'g c', label: texts.keys.changelog, run: () => goTo('/changelog') },
          { keys: 'g d', label: texts.keys.documents, run: () => goTo('/documents') },
          { keys: 'g r', label: texts.keys.personas, run: () => goTo('/personas') },
          { keys: 'g x', label: texts.keys.experiments, run: () => goTo('/experiments') },
          { keys: 'g l', label: texts.keys.mailings, run: () => goTo('/mailings') },
          { keys: 'g m', label: texts.keys.imports, run: () => goTo('/imports') },
        ].map((binding) => ({ ...binding, isEverywhere: true })),
      [],
    ),
  )
  // After a change of the place the keyboard and a screen reader begin at the new page.
  const [firstPath] = useState(path)
  const hasMoved = useRef(false)
  if (path !== firstPath) hasMoved.current = true
  useEffect(() => {
    if (hasMoved.current) main.current?.focus()
  }, [path, screen])

  return (
    <>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      <Sidebar me={me} path={path} onFind={() => open('palette')} onHelp={() => open('keys')} />
      {isMissing && <MissingPage main={main} />}
      {!isMissing && !screen && (
        <>
          <Bar title={texts.loading} />
          <main id="main" class="padded">
            <Skeleton />
          </main>
        </>
      )}
      {screen && <Screen key={path} part={screen} me={me} params={params} main={main} />}
      <Notices />
      <ToastArea />
      {opened === 'palette' && <Palette onClose={close} onHelp={() => open('keys')} />}
      {opened === 'keys' && <KeyHelp onClose={close} />}
      {isSessionEnded.value && <SignInAgain />}
    </>
  )
}

interface ScreenProps {
  part: ScreenPart
  me: Me
  params: readonly string[]
  main: RefObject<HTMLElement | null>
}

const Screen = ({ part: Part, me, params, main }: ScreenProps) => <Part me={me} params={params} main={main} />

const MissingPage = ({ main }: { main: RefObject<HTMLElement | null> }) => (
  <>
    <Bar title={texts.notFound} />
    <main id="main" ref={main} tabIndex={-1} class="padded">
      <Empty icon="info" title={texts.notFound} hint={texts.notFoundHint} />
    </main>
  </>
)
