import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Me } from '../api/me'
import { isSessionEnded } from '../api/session-end'
import { Empty } from '../parts/empty'
import { Failure } from '../parts/failure'
import { Skeleton } from '../parts/skeleton'
import { type ScreenPart, useScreen } from '../screens/screens'
import { useKeys } from '../state/keys'
import { goTo, place } from '../state/place'
import { texts } from '../texts/texts'
import { Bar } from './bar'
import { ErasureBanner } from './erasure-banner'
import { KeyHelp } from './key-help'
import { listLinks } from './navigation'
import { Notices } from './notices'
import { Palette } from './palette'
import { Sidebar } from './sidebar'
import { SignInAgain } from './sign-in-again'
import { ToastArea } from './toast-area'

export function Shell({ me }: { me: Me }) {
  const [opened, open] = useState<'palette' | 'keys' | null>(null)
  const main = useRef<HTMLElement>(null)
  const { path } = place.value
  const { screen, error, retry, params, isMissing } = useScreen(path)
  const close = () => open(null)

  useKeys(
    useMemo(
      () =>
        [
          { keys: 'mod+k', label: texts.keys.search, run: () => open('palette') },
          { keys: '?', label: texts.keys.help, run: () => open('keys') },
          ...listLinks(me).flatMap(({ keys, label, path }) =>
            keys === undefined ? [] : { keys, label: texts.keys.goTo(label), run: () => goTo(path) },
          ),
        ].map((binding) => ({ ...binding, isEverywhere: true })),
      [me],
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
      <ErasureBanner me={me} path={path} />
      {isMissing && <MissingPage main={main} />}
      {!isMissing && !screen && (
        <>
          <Bar title={texts.loading} />
          <main id="main" class="padded">
            {error === undefined ? (
              <Skeleton />
            ) : (
              <Failure title={texts.failure.loadTitle} error={error} onRetry={retry} />
            )}
          </main>
        </>
      )}
      {screen && <Screen key={path} part={screen} me={me} params={params} main={main} />}
      <Notices />
      <ToastArea />
      {opened === 'palette' && <Palette me={me} onClose={close} onHelp={() => open('keys')} />}
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
