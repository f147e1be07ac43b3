import { maySee } from '../../api/me'
import { Failure } from '../../parts/failure'
import { Skeleton } from '../../parts/skeleton'
import { portalOrigin } from '../../state/portal-origin'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { DomainCard } from './domain-card'
import { ModerationCard } from './moderation-card'
import { PortalForm } from './portal-form'
import { usePortal } from './requests'
import { SecretCard } from './secret-card'
import { texts } from './texts/texts'

export default function PortalSettings({ me, main }: ScreenProps) {
  const may = maySee(me, 'products:write')
  const { data: stored, error, refetch } = usePortal()
  const action = stored?.record.slug && (
    <a class="btn small ghost" href={`${portalOrigin}/p/${stored.record.slug}`} target="_blank" rel="noreferrer">
      {texts.open}
    </a>
  )
  return (
    <SettingsPage me={me} main={main} path="/settings/portal" action={action}>
      {!may && <p class="sm muted">{texts.readerHint}</p>}
      {error && !stored && <Failure title={texts.loadFailed} error={error} onRetry={() => refetch()} />}
      {!stored && !error && <Skeleton />}
      {stored && (
        <>
          <PortalForm stored={stored} workspace={me.workspace.name} may={may} />
          <ModerationCard may={may} />
          <DomainCard stored={stored} workspaceId={me.workspace.id} may={may} />
          <SecretCard rotatedAt={stored.record.endUserSecretRotatedAt} may={may} />
        </>
      )}
    </SettingsPage>
  )
}
