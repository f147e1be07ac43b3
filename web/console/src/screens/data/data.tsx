import { maySee } from '../../api/me'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { ExportsCard } from './exports-card'
import { PersonCard } from './person-card'
import { RestoreCard } from './restore-card'
import { WorkspaceCard } from './workspace-card'

export default function Data({ me, main }: ScreenProps) {
  const isOwner = maySee(me, '*')
  return (
    <SettingsPage me={me} main={main} path="/settings/data">
      {isOwner && <ExportsCard />}
      <PersonCard me={me} main={main} />
      {isOwner && !me.workspace.eraseAt && <RestoreCard />}
      {isOwner && <WorkspaceCard workspace={me.workspace} />}
    </SettingsPage>
  )
}
