import { GroundworkError } from 'groundwork-client'
import { useEffect } from 'preact/hooks'
import { followWorkspace } from './api/live'
import { mayFollowEvents, useMe } from './api/me'
import { rememberPerson } from './api/session-end'
import { Failure } from './parts/failure'
import { Shell } from './shell/shell'
import { texts } from './texts/texts'

/** Without a session the page goes to the sign-in, which leads back here. */
const goToSignIn = () =>
  location.replace(`/sign-in?${new URLSearchParams({ next: location.pathname + location.search })}`)

export function App() {
  const { data: me, error, refetch } = useMe()
  const needsSignIn = error instanceof GroundworkError && error.status === 401
  useEffect(() => {
    if (needsSignIn) goToSignIn()
  }, [needsSignIn])
  useEffect(() => {
    if (!me) return
    rememberPerson({ email: me.user?.email ?? '', workspaceId: me.workspace.id })
    if (mayFollowEvents(me)) void followWorkspace()
  }, [me?.workspace.id])
  if (me) return <Shell me={me} />
  if (error && !needsSignIn) return <Failure title={texts.failure.loadTitle} error={error} onRetry={() => refetch()} />
  return (
    <p class="sr" role="status">
      {texts.loading}
    </p>
  )
}
