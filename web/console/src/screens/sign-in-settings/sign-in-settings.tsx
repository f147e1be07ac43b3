import { maySee } from '../../api/me'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { DomainsCard } from './domains-card'
import { ProviderForm } from './provider-form'
import { useSignIn } from './requests'
import { texts } from './texts/texts'

export default function SignInSettings({ me, main }: ScreenProps) {
  const may = maySee(me, '*')
  const { data: stored, error, refetch } = useSignIn(maySee(me, 'keys:read'))
  return (
    <SettingsPage me={me} main={main} path="/settings/sign-in">
      <p class="sm muted">{may ? texts.hint : texts.readerHint}</p>
      {error && !stored && <Failure title={texts.loadFailed} error={error} onRetry={() => refetch()} />}
      {!stored && !error && <Skeleton />}
      {stored && (
        <>
          <ProviderForm stored={stored} may={may} />
          <DomainsCard stored={stored} workspaceId={me.workspace.id} may={may} main={main} />
        </>
      )}
    </SettingsPage>
  )
}
